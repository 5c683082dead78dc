-- Parallel operators over arrays of any element type.

-- ==
-- entry: dot
-- input { [1.0, 2.0] [3.0, 4.0] } output { 11.0 }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 }
entry dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)

-- ==
-- entry: argmax
-- input { [1.0, 5.0, 3.0] } output { 5.0 1i64 }
entry argmax [n] (xs: [n]f64) =
  reduce (\(x, i) (y, j) -> if x >= y then (x, i) else (y, j)) (-f64.inf, -1) (zip xs (iota n))

-- ==
-- entry: scanned
-- input { [1i32, 2i32, 3i32] } output { [1i32, 3i32, 6i32] [1i32, 2i32, 6i32] }
entry scanned [n] (xs: [n]i32) =
  unzip (scan (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs))

-- ==
-- entry: histogram
-- input { [0i64, 2i64, 0i64, 5i64, -1i64] [1i32, 2i32, 3i32, 4i32, 5i32] } output { [4i32, 0i32, 2i32] }
entry histogram [n] (is: [n]i64) (xs: [n]i32) = reduce_by_index (replicate 3 0) (+) 0 is xs

-- ==
-- entry: histogram_of_pairs
-- input { [0i64, 1i64, 0i64] [1i32, 2i32, 3i32] } output { [4i32, 2i32] [3i32, 2i32] }
entry histogram_of_pairs [n] (is: [n]i64) (xs: [n]i32) =
  unzip (hist (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) 2 is (zip xs xs))

-- ==
-- entry: histogram_2d
-- input { [0i64, 1i64, 0i64] [1i64, 0i64, 1i64] } output { [[0i32, 2i32], [1i32, 0i32]] }
entry histogram_2d [n] (is: [n]i64) (js: [n]i64) =
  reduce_by_index_2d (replicate 2 (replicate 2 0i32)) (+) 0 (zip is js) (replicate n 1)

-- ==
-- entry: scattered
-- input { [0i32, 0i32, 0i32] [2i64, 0i64, 9i64] [7i32, 8i32, 9i32] } output { [8i32, 0i32, 7i32] }
entry scattered [k] [n] (xs: *[k]i32) (is: [n]i64) (vs: [n]i32) = scatter xs is vs

-- ==
-- entry: scattered_pairs
-- input { [1i64, 0i64] [7i32, 8i32] } output { [8i32, 7i32] [1i32, 2i32] }
entry scattered_pairs [n] (is: [n]i64) (vs: [n]i32) =
  unzip (scatter (replicate 2 (0, 0)) is (map (\v -> (v, if v == 8 then 1 else 2)) vs))

-- ==
-- entry: matmul
-- input { [[1i32, 2i32], [3i32, 4i32]] [[5i32, 6i32], [7i32, 8i32]] } output { [[19i32, 22i32], [43i32, 50i32]] }
entry matmul [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) =
  map (\row -> map (\col -> i32.sum (map2 (*) row col)) (transpose b)) a

-- ==
-- entry: reduced_rows
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [4i32, 6i32] }
entry reduced_rows [n] [m] (xss: [n][m]i32) = reduce (map2 (+)) (replicate m 0) xss

-- ==
-- entry: free_arrays
-- input { [1i32, 2i32] } output { [[2i32, 3i32], [3i32, 4i32]] }
entry free_arrays [n] (xs: [n]i32) = map (\x -> map (+ x) xs) xs

-- ==
-- entry: zipped_three
-- input { [1i32] [2i32] [3i32] } output { [6i32] }
entry zipped_three [n] (xs: [n]i32) (ys: [n]i32) (zs: [n]i32) = map (\(x, y, z) -> x + y + z) (zip3 xs ys zs)

-- ==
-- entry: units
-- input { 3i64 } output { 3i64 [1i32, 1i32, 1i32] }
entry units (n: i64) =
  let us = replicate n ()
  in (length us, map (\() -> 1i32) us)

-- ==
-- entry: extremes
-- input { [3.0, -1.0, 2.0] } output { -1.0 3.0 true false }
entry extremes [n] (xs: [n]f64) = (f64.minimum xs, f64.maximum xs, any (< 0) xs, all (< 0) xs)
