-- Arrays with the functions of the prelude.

-- ==
-- entry: parts
-- input { [1, 2, 3, 4] 1i64 } output { 1 4 [2, 3, 4] [1, 2, 3] [1] [2, 3, 4] [4, 3, 2, 1] [2, 3, 4, 1] [4, 1, 2, 3] }
entry parts [n] (xs: [n]i32) (i: i64) =
  (head xs, last xs, tail xs, init xs, take i xs, drop i xs, reverse xs, rotate i xs, rotate (-i) xs)

-- ==
-- entry: shapes
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] [1, 2, 3, 4, 5, 6] [[1, 2], [3, 4], [5, 6]] }
entry shapes [n] [m] (xss: [n][m]i32) =
  (transpose xss, flatten xss, unflatten (flatten xss :> [m * n]i32) : [m][n]i32)

-- ==
-- entry: chosen
-- input { [3, 8, 5, 2, 9] } output { [8, 9] [8, 2] [3, 5, 9] [3] [8, 2] [5, 9] true false }
entry chosen (xs: []i32) =
  let (evens, odds) = partition (\x -> x % 2 == 0) xs
  let (threes, others, rest) = partition2 (== 3) (\x -> x % 2 == 0) xs
  in (filter (> 5) xs, evens, odds, threes, others, rest, any (== 9) xs, all (== 9) xs)

-- ==
-- entry: written
-- input { [0i64, 3i64, 0i64, -1i64] [1, 2, 3, 4] } output { [4, 0, 0] [3, 0, 0] [9, 9, 9, 2] [0, 1, 3, 6] }
entry written [n] (is: [n]i64) (xs: [n]i32) =
  (hist (+) 0 3 is xs, hist i32.max 0 3 is xs, spread 4 9 (drop 1 is) (drop 1 xs) with [0] = 9, exscan (+) 0 xs)

-- ==
-- entry: written_2d
-- input { [0i64, 1i64, 5i64] [1i64, 0i64, 0i64] [7, 8, 9] } output { [[0, 7], [8, 0]] [[0, 7], [8, 0]] [[[0], [7]], [[8], [0]]] }
entry written_2d [n] (is: [n]i64) (js: [n]i64) (xs: [n]i32) =
  (scatter_2d (replicate 2 (replicate 2 0)) (zip is js) xs,
   reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) xs,
   scatter_3d (replicate 2 (replicate 2 (replicate 1 0))) (zip3 is js (rep 0)) xs)

-- ==
-- entry: folds
-- input { [1, 2, 3] } output { -4 2 [[0, 1], [1, 2]] 8 16 16 }
entry folds (xs: []i32) =
  (foldl (-) 2 xs, foldr (-) 0 xs, tabulate_2d 2 2 (\i j -> i32.i64 (i + j)),
   iterate 3 (* 2) 1, iterate_while (< 10) (* 2) 1, iterate_until (> 10) (* 2) 1)

-- ==
-- entry: expanded
-- input { [2i64, 0i64, 1i64] } output { [2i64, 0i64, 1i64] [true, false, true] [0i64, 2i64, 2i64] [2i64, 2i64, 1i64] [4i64, 0i64, 2i64] }
entry expanded (xs: []i64) = flatmap (\x -> (replicate x x, 2 * x)) xs
