-- Arrays of one thread whose sizes only this thread knows: on a gpu the host makes room for the largest.

def small (k: i64) : i64 = i64.max 0 (k %% 9)

-- ==
-- entry: of_elements
-- input { [3i64, 0i64, 5i64, 1i64] } output { [4i64, 0i64, 20i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry of_elements [n] (ks: [n]i64) : [n]i64 =
  map (\k0 ->
         let k = small k0
         let xs = scan (+) 0 (iota k)
         in i64.sum (map (\i -> xs[k - 1 - i]) (iota k)))
      ks

-- In a nest of two dimensions.
-- ==
-- entry: of_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1i64, 2i64], [2i64, 0i64]] } output { [[2.0, 12.0], [28.0, 0.0]] }
entry of_rows [n] [m] (xss: [n][m]f64) (kss: [n][m]i64) : [n][m]f64 =
  map2 (\xs ks ->
          map (\j ->
                 let k = small ks[j]
                 let ys = scan (+) 0 (map (\i -> xs[i % m] * f64.i64 (i + 1)) (iota k))
                 in f64.sum (map (\i -> ys[i] + ys[k - 1 - i]) (iota k)))
              (iota m))
       xss kss

-- In a nest of three.
-- ==
-- entry: of_cubes
-- input { [[[3i64, 0i64, 5i64], [5i64, 1i64, 3i64]], [[8i64, 2i64, 3i64], [5i64, 5i64, 5i64]]] }
-- output { [[[4i64, 0i64, 20i64], [20i64, 0i64, 4i64]], [[84i64, 1i64, 4i64], [20i64, 20i64, 20i64]]] }
entry of_cubes [n] [m] [l] (ksss: [n][m][l]i64) : [n][m][l]i64 =
  map (map (map (\k0 ->
                   let k = small k0
                   let xs = scan (+) 0 (iota k)
                   in i64.sum (map (\i -> xs[k - 1 - i]) (iota k)))))
      ksss

-- Other ones in each iteration, and in each branch.
-- ==
-- entry: of_iterations
-- input { [2i64, 7i64] [3i64, 1i64, 4i64] } output { [60i64, 158i64] }
entry of_iterations [n] [m] (as: [n]i64) (ks: [m]i64) : [n]i64 =
  map (\a ->
         loop sum = 0
         for i < m do
           let k = small ks[i]
           let xs = map (+ a) (scan (+) 0 (iota k))
           let ys = if a %% 2 == 0 then map (\j -> xs[k - 1 - j]) (iota k)
                    else scan i64.max i64.lowest (map (\j -> xs[j] + j) (iota k))
           in sum + i64.sum (map2 (+) (map (\j -> ys[k - 1 - j]) (iota k)) ys))
      as

-- Sizes that arrays of such sizes decide.
-- ==
-- entry: of_arrays
-- input { [3i64, 8i64] } output { [[3i64, 102i64], [8i64, 16i64]] }
entry of_arrays [n] (ks: [n]i64) : [n][2]i64 =
  map (\k0 ->
         let k = small k0
         let firsts = scan (+) 0 (map (* 2) (iota k))
         let l = 1 + small (if k == 0 then 0 else firsts[k - 1] + firsts[k / 2])
         let seconds = map (+ 1) (scan (+) 0 (iota l))
         in [k, i64.sum (map (\i -> seconds[l - 1 - i] * (i %% 3)) (iota l))])
      ks

-- What reverse mode keeps of a loop, of as many iterations as the thread counts; with additions to what all share.
-- ==
-- entry: gradient
-- input { [1.5, 0.5, 0.25] [2i64, 0i64, 3i64] [2i64, 2i64, 1i64] } output { [0.0, -1.9669633673627003, -2.2135451105110837] }
entry gradient [n] [m] (xs: [m]f64) (ks: [n]i64) (is: [n]i64) : [m]f64 =
  vjp (\xs -> f64.sum (map2 (\k i ->
                               loop y = xs[i %% i64.max m 1]
                               for j < small k do
                                 f64.sin y * y + f64.cos (xs[j %% m] * f64.i64 j))
                            (if m == 0 then map (const 0) ks else ks)
                            (if m == 0 then map (const 0) is else is)
                      |> map (\y -> y * y)))
      xs 1

-- Sizes that grow from one step of the host to the next.
-- ==
-- entry: of_steps
-- input { [5i64, 1i64, 4i64, 2i64, 3i64, 9i64, 8i64, 7i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64, 7i64, 8i64, 9i64] }
entry of_steps (xs: [8]i64) : [8]i64 =
  let (ys, _) =
    loop (ys, half) = (xs, 1)
    while half < 8 do
      let width = 2 * half
      let merged =
        map (\b ->
               let left = ys[b * width : b * width + half] :> [half]i64
               let right = ys[b * width + half : b * width + width] :> [half]i64
               let before = map (\x -> i64.sum (map (\y -> i64.bool (y < x)) right)) left
               let among = map (\x -> i64.sum (map (\y -> i64.bool (y <= x)) left)) right
               let places = map2 (+) before (iota half) ++ map2 (+) among (iota half)
               in scatter (replicate width 0) (places :> [width]i64) ((left ++ right) :> [width]i64))
            (iota (8 / width))
      in (flatten merged :> [8]i64, width)
  in ys

-- Arrays of a thread that are reshaped, but do not lie in memory in their order.
-- ==
-- entry: flattened_views
-- input { [2i64, 3i64] [1i64, 11i64] } output { [6i64, 16i64] [2i64, 17i64] }
entry flattened_views [d] (ns: [d]i64) (is: [d]i64) : ([d]i64, [d]i64) =
  unzip (map2 (\n i ->
                 let xss = map transpose (unflatten_3d (iota (n * 2 * 3)))
                 let turned = flatten (transpose (map flatten xss))
                 let columns = map (\row -> row[1:]) (unflatten (iota (n * 2 * 3) :> [(n * 2) * 3]i64))
                 in (turned[i], (flatten columns)[i]))
              ns is)

-- A loop that goes on for ever where the program fails.
-- ==
-- entry: asserted_steps
-- input { [3i64, 7i64] } output { [83i64, 96i64] }
-- input { [3i64, 0i64] } error: .
entry asserted_steps [n] (ks: [n]i64) : [n]i64 =
  map (\k ->
         let step = assert (k > 0) k
         let m = loop x = 0 while x < 10 do x + step
         let sums = scan (+) 0 (iota m)
         in sums[m - 1] + i64.sum (scan (+) 0 (reverse sums)) % 100) ks

-- States that the return sweep keeps: of loops in loops of narrow indices, and in pieces that are no power of two.
-- ==
-- entry: narrow_steps
-- input { [0.5, 2.0] 3i8 } output { [0.4577304791922003, 0.26246656434280874] }
entry narrow_steps [n] (xs: [n]f64) (k: i8) : [n]f64 =
  vjp (\xs -> f64.sum (map (\x -> loop y = x for i < k do loop z = y for j < i do f64.sin z * x) xs)) xs 1

-- ==
-- entry: pieces
-- input { [0.5, 2.0] 7i64 } output { [0.48044737126121195, -0.07514391982686548] }
entry pieces [n] (xs: [n]f64) (k: i64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\x -> #[stripmine(3)] loop y = x for i < k do f64.sin y) xs)) xs 1
