-- Points that yield several things: cells by two indices, values of several arrays, what is stored beside what is added; and rows that may be
-- empty.

-- | Cells by two indices that differ.
-- ==
-- entry: by_two_indices
-- input { [0i64, 1i64, 0i64, 5i64] [2i64, 0i64, 2i64, 0i64] [1.0, 2.0, 3.0, 4.0] } output { [[0.0, 0.0, 4.0], [2.0, 0.0, 0.0]] }
entry by_two_indices [n] (is: [n]i64) (js: [n]i64) (xs: [n]f64) : [2][3]f64 =
  reduce_by_index_2d (replicate 2 (replicate 3 0)) (+) 0 (zip is js) xs

-- | Values of two arrays at one place each, beside what is added and what is stored.
-- ==
-- entry: beside
-- input { [1i64, 0i64, 7i64] [1.0, 2.0, 3.0] } output { [2.0, 1.0] [2.0, 1.0] [5.0, 4.0] [6.0, 7.0, 8.0] }
entry beside [n] (is: [n]i64) (xs: [n]f64) : ([2]f64, [2]f64, [2]f64, [n]f64) =
  let (as, bs) = unzip (scatter (zip (replicate 2 0) (replicate 2 0)) is (zip xs (map (+ 3) xs)))
  in (reduce_by_index (replicate 2 0) (+) 0 is xs, as, bs, map (+ 5) xs)

-- | Division by what is zero only where rows are empty.
-- ==
-- entry: of_empty_rows
-- input { [2i64, 1i64] [[4i64], [3i64]] } output { [[24i64], [36i64]] }
-- input { [0i64, 1i64] empty([2][0]i64) } output { empty([2][0]i64) }
entry of_empty_rows [n] [m] (ds: [n]i64) (xss: [n][m]i64) : [n][m]i64 = map2 (\d xs -> map (\x -> x * (12 / d)) xs) ds xss

-- | What comes of the sums of rows and of their numbers, and prefixes of pairs.
-- ==
-- entry: of_rows
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] } output { [[1.0, 2.0], [4.0, 5.0]] [[3.0, 7.0], [11.0, 15.0]] }
entry of_rows [n] [m] [k] (xsss: [n][m][k]f64) : ([n][m]f64, [n][m]f64) =
  let sums = map (map f64.sum) xsss
  in (map2 (\i ss -> map2 (\j s -> f64.i64 (2 * i + j) * f64.sqrt (s * s) / s + 1 + f64.i64 i) (iota m) ss) (iota n) sums, sums)
