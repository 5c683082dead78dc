-- Arrays put together from scalars and from what maps make; literals of one scalar; indices that are checked once.

-- A scalar that one thread computes, and what a map makes, which nobody else needs.
-- ==
-- entry: first_and_rest
-- input { [1.0, 2.0, 3.0] [2.0, 0.5, 4.0] } output { [15.0, 4.0, 7.0] }
entry first_and_rest (xs: [3]f64) (ys: [3]f64) : [3]f64 =
  let first = f64.sum (map2 (*) xs ys)
  let rest = map2 (\x y -> x + y * ys[0]) xs[1:3] [1.0, 2.0]
  in [first] ++ rest :> [3]f64

-- The same in each round of a loop, for two arrays at a time.
-- ==
-- entry: in_a_loop
-- input { 3i64 [1.0, 2.0, 3.0] } output { [54.0, 50.0, 58.0] [5i64, 3i64, 3i64] }
-- input { 0i64 [1.0, 2.0, 3.0] } output { [1.0, 2.0, 3.0] [0i64, 0i64, 0i64] }
entry in_a_loop (k: i64) (xs: [3]f64) : ([3]f64, [3]i64) =
  loop (xs, ns) = (xs, replicate 3 0) for i < k do
    let first = f64.sum xs
    let (rest, counts) = unzip (map2 (\x n -> (x * 2 + xs[0], n + i)) xs[1:3] ns[1:3])
    in ([first] ++ rest :> [3]f64, [2 * i + ns[1]] ++ counts :> [3]i64)

-- Parts of sizes that only the caller knows.
-- ==
-- entry: of_three
-- input { [1i64, 2i64] 7i64 [5i64] } output { [2i64, 4i64, 7i64, 7i64, 6i64] }
-- input { empty([0]i64) 7i64 empty([0]i64) } output { [7i64, 7i64] }
entry of_three [n] [m] (xs: [n]i64) (x: i64) (ys: [m]i64) : []i64 =
  map (* 2) xs ++ [x, x] ++ map (+ 1) ys

-- What grows by one scalar a round.
-- ==
-- entry: growing
-- input { 4i64 } output { [1i64, 1i64, 2i64, 4i64, 8i64] }
entry growing (k: i64) : []i64 =
  loop xs = [1] for _i < k do xs ++ [i64.sum xs]

-- A part that can fail.
-- ==
-- entry: picked
-- input { [10i64, 20i64] [1i64, 0i64] } output { [7i64, 20i64, 10i64] }
-- input { [10i64, 20i64] [1i64, 2i64] } error: out of bounds
entry picked [n] [m] (xs: [n]i64) (is: [m]i64) : []i64 =
  [7] ++ map (\i -> xs[i]) is

-- An array of one scalar that is updated.
-- ==
-- entry: flags
-- input { [true, false, false] } output { 2i64 }
-- input { [false, false] } output { 1i64 }
entry flags [n] (bs: [n]bool) : i64 =
  let (rounds, _) =
    loop (rounds, more) = (0, true) while more do
      let any = [false]
      let any = scatter any (map (\b -> if b then 0 else -1) bs) (replicate n true)
      in (rounds + 1, any[0] && rounds < 1)
  in rounds

-- Results that the host knows, next to one that a thread computes.
-- ==
-- entry: known_results
-- input { [3.0, 4.0] 5i64 } output { 5.0 6i64 2.0 5i64 }
entry known_results [n] (xs: [n]f64) (k: i64) : (f64, i64, f64, i64) =
  (f64.sqrt (f64.sum (map (\x -> x * x) xs)), k + 1, 2, k)

-- One index into several arrays, before and inside of branches and loops, in which it changes.
-- ==
-- entry: one_index
-- input { [1i64, 2i64, 3i64] [4i64, 5i64, 6i64] [0i64, 2i64] } output { [25i64, 13i64] }
-- input { [1i64, 2i64, 3i64] [4i64, 5i64, 6i64] [0i64, 3i64] } error: out of bounds
-- input { [1i64, 2i64, 3i64] [4i64, 5i64, 6i64] [-1i64, 0i64] } error: out of bounds
entry one_index [n] [m] (xs: [n]i64) (ys: [n]i64) (is: [m]i64) : [m]i64 =
  map (\i ->
         let a = if xs[i] > 1 then ys[i] else 10 * xs[i]
         let (j, b) = loop (j, b) = (i, 0) while j < 2 do (j + 1, b + xs[j] * ys[j])
         in a + b + xs[j] + (if a > b then ys[j] - 2 else -2))
      is
