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

-- Parts that are made where they end up: of another shape, one that the other one reads, parts of parts.
-- ==
-- entry: made_in_place
-- input { [1i64, 2i64] } output { [1i64, 2i64, 2i64, 4i64, 13i64, 18i64, 7i64, 8i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry made_in_place [n] (xs: [n]i64) =
  let rows = map (\x -> [x, 2 * x]) xs
  let ys = map (\row -> row[0] * 3 + row[1] + 8) rows
  in (flatten rows ++ ys) ++ map (+ 6) xs

-- One part twice, one that is a result too, and one that is updated later.
-- ==
-- entry: wanted_elsewhere
-- input { [1i64, 2i64] 0i64 }
-- output { [2i64, 4i64, 2i64, 4i64] [2i64, 3i64, 11i64, 12i64] [2i64, 3i64] [11i64, 12i64, 4i64, 5i64] [9i64, 12i64] }
entry wanted_elsewhere [n] (xs: [n]i64) (k: i64) =
  let twos = map (* 2) xs
  let ones = map (+ 1) xs
  let tens = map (+ 10) xs
  let threes = map (+ 3) xs
  let both = tens ++ threes
  in (twos ++ twos, ones ++ tens, ones, both, tens with [k] = 9)

-- A size that turns out to be negative after the first part has been made.
-- ==
-- entry: negative_part
-- input { [1i64, 2i64] 1i64 } output { [2i64, 3i64, 0i64] }
-- input { [1i64, 2i64] -1i64 } error: size
-- input { [1i64, 2i64] -3i64 } error: size
entry negative_part [n] (xs: [n]i64) (k: i64) : []i64 =
  map (+ 1) xs ++ map (\i -> i * i) (iota k)

-- In rows, and in loops whose state they are.
-- ==
-- entry: in_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 3.0, 2.0, 4.0, 5.0], [4.0, 5.0, 6.0, 8.0, 9.0]] }
entry in_rows [n] (xss: [n][2]f64) : [n][5]f64 =
  map (\xs ->
         let ones = map (+ 1) xs
         let sums = scan (+) 0 xs
         in ones ++ map (* 2) xs ++ [f64.sum ones] :> [5]f64)
      xss
  |> map (\row -> row)

-- ==
-- entry: turning
-- input { 3i64 [1.0, 2.0, 3.0, 4.0] } output { [8.0, 16.0, 24.0, 32.0] }
-- input { 2i64 [1.0, 2.0, 3.0, 4.0] } output { [4.0, 8.0, 12.0, 16.0] }
entry turning (k: i64) (xs: [4]f64) : [4]f64 =
  loop xs for _i < k do
    let front = map (\i -> 2 * xs[i]) (iota 2)
    let back = map (\i -> 2 * xs[i + 2]) (iota 2)
    in front ++ back :> [4]f64

-- ==
-- entry: exchanged
-- input { 1i64 [1.0, 2.0, 3.0, 4.0] } output { [6.0, 8.0, 2.0, 4.0] }
-- input { 2i64 [1.0, 2.0, 3.0, 4.0] } output { [4.0, 8.0, 12.0, 16.0] }
entry exchanged (k: i64) (xs: [4]f64) : [4]f64 =
  loop xs for _i < k do
    let front = map (\i -> 2 * xs[i + 2]) (iota 2)
    let back = map (\i -> 2 * xs[i]) (iota 2)
    in front ++ back :> [4]f64

-- ==
-- entry: of_a_branch
-- input { true [1i64, 2i64] } output { [2i64, 3i64, 1i64] }
-- input { false [1i64, 2i64] } output { [2i64, 4i64, 0i64] }
entry of_a_branch [n] (c: bool) (xs: [n]i64) : []i64 =
  let first = if c then map (+ 1) xs else map (* 2) xs
  in first ++ [if c then 1 else 0]

-- | The size of a parameter is checked where its elements are read through another array, too.
-- ==
-- entry: extended
-- input { [1.0, 2.0] [3.0, 4.0, 5.0] } output { [2.0, 3.0, 4.0, 5.0, 6.0] }
-- input { [1.0, 2.0] [3.0, 4.0] } error: .
-- input { [1.0, 2.0] [3.0, 4.0, 5.0, 6.0] } error: .
entry extended [n] (xs: [n]f64) (ys: [n + 1]f64) : []f64 = map (+ 1) (concat xs ys)
