-- Sizes that the program states, of arrays that are made in the caller's memory or in a row of another array: checked before
-- anything is written. And arrays without elements.

-- ==
-- entry: joined
-- input { 3i64 [1i32] [2i32, 3i32] } output { [1i32, 2i32, 3i32] }
-- input { 2i64 [1i32] [2i32, 3i32] } error: size is 3 instead of 2
-- input { 4i64 [1i32] [2i32, 3i32] } error: size is 3 instead of 4
entry joined [a] [b] (n: i64) (xs: [a]i32) (ys: [b]i32) : [n]i32 = (xs ++ ys) :> [n]i32

-- ==
-- entry: updated
-- input { 2i64 [1i32, 2i32] } output { [7i32, 2i32] }
-- input { 3i64 [1i32, 2i32] } error: size is 2 instead of 3
-- input { 1i64 [1i32, 2i32] } error: size is 2 instead of 1
entry updated [m] (n: i64) (xs: [m]i32) : [n]i32 = (copy xs with [0] = 7) :> [n]i32

-- ==
-- entry: mapped
-- input { 2i64 [1i32, 2i32] } output { [2i32, 3i32] [1i32, 3i32] }
-- input { 3i64 [1i32, 2i32] } error: size is 2 instead of 3
entry mapped [m] (n: i64) (xs: [m]i32) : ([n]i32, [n]i32) = (map (+ 1) xs :> [n]i32, scan (+) 0 xs :> [n]i32)

-- ==
-- entry: backwards
-- input { 2i64 [1i32, 2i32] } output { [3i32, 2i32] }
-- input { 1i64 [1i32, 2i32] } error: size is 2 instead of 1
-- input { 3i64 [1i32, 2i32] } error: size is 2 instead of 3
entry backwards [m] (n: i64) (xs: [m]i32) : [n]i32 = reverse (scan (+) 0 (reverse xs)) :> [n]i32

-- ==
-- entry: in_rows
-- input { 3i64 [[1i32, 2i32], [3i32, 4i32]] } output { [[1i32, 2i32, 9i32], [3i32, 4i32, 9i32]] }
-- input { 4i64 [[1i32, 2i32], [3i32, 4i32]] } error: size is 3 instead of 4
-- input { 1i64 [[1i32, 2i32], [3i32, 4i32]] } error: size is 3 instead of 1
entry in_rows [n] [m] (k: i64) (xss: [n][m]i32) : [n][k]i32 = map (\xs -> (xs ++ [9]) :> [k]i32) xss

-- ==
-- entry: kept
-- input { 2i64 [1i32, -2i32, 3i32] } output { [1i32, 3i32] }
-- input { 3i64 [1i32, -2i32, 3i32] } error: size is 2 instead of 3
entry kept [n] (k: i64) (xs: [n]i32) : [k]i32 = filter (> 0) xs :> [k]i32

-- ==
-- entry: chosen
-- input { true 1i64 [1i32] [2i32, 3i32] } output { [2i32] }
-- input { false 2i64 [1i32] [2i32, 3i32] } output { [3i32, 4i32] }
-- input { false 1i64 [1i32] [2i32, 3i32] } error: size is 2 instead of 1
entry chosen [a] [b] (c: bool) (n: i64) (xs: [a]i32) (ys: [b]i32) : [n]i32 =
  (if c then map (+ 1) xs else map (+ 1) ys) :> [n]i32

-- ==
-- entry: grown
-- input { 4i64 3i64 } output { [7i64, 0i64, 1i64, 2i64] }
-- input { 3i64 3i64 } error: size is 4 instead of 3
entry grown (n: i64) (k: i64) : [n]i64 = (loop xs = [7] for i < k do xs ++ [i]) :> [n]i64

-- ==
-- entry: stated_twice
-- input { 3i64 [1i32] [2i32, 3i32] } output { [[1i32, 2i32, 3i32], [2i32, 3i32, 1i32]] }
-- input { 2i64 [1i32] [2i32, 3i32] } error: size is 3 instead of 2
entry stated_twice [a] [b] (n: i64) (xs: [a]i32) (ys: [b]i32) : [2][n]i32 = [xs ++ ys :> [n]i32, ys ++ xs :> [n]i32]

-- ==
-- entry: shaped
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
-- input { -2i64 -3i64 } error: negative
entry shaped (n: i64) (m: i64) : [n][m]i64 = unflatten (iota (n * m))

-- ==
-- entry: of_nothing
-- input { [2i64, 0i64] } output { empty([0]i64) empty([2][0]i64) empty([0]i64) 5i64 empty([0]i64) }
entry of_nothing [n] (xs: [n]i64) : ([0]i64, [n][0]i64, [0]i64, i64, [0]i64) =
  let none: [0]i64 = []
  in (scan (+) 0 none, map (replicate 0) xs, map (+ xs[0]) none, reduce (+) 5 none,
      reduce_by_index (copy none) (+) 0 xs xs)

-- Which of several sizes is another one.
-- ==
-- entry: of_two
-- input { [[1.0, 2.0]] 2i64 2i64 } error: size is 1 instead of 2
-- input { [[1.0, 2.0]] 1i64 3i64 } error: size is 2 instead of 3
-- input { [[1.0, 2.0]] 1i64 2i64 } output { [[2.0, 3.0]] }
entry of_two [n] [m] (xss: [n][m]f64) (k: i64) (l: i64) : [k][l]f64 = map (map (+ 1)) (xss :> [k][l]f64)
