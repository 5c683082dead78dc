-- Places that several elements or writes share: rows of a replicated array, bins, one element.

-- ==
-- entry: update_row
-- input { [1.0, 2.0] } output { [[1.0, 2.0], [7.0, 2.0], [1.0, 2.0]] [1.0, 2.0] }
entry update_row [n] (row: [n]f64) : ([3][n]f64, [n]f64) =
  let kept = copy row
  let rows = replicate 3 kept
  in (rows with [1, 0] = 7, kept)

-- ==
-- entry: update_in_loop
-- input { [1.0, 2.0] } output { [[2.0, 3.0], [4.0, 6.0], [2.0, 3.0]] [2.0, 3.0] }
entry update_in_loop [n] (row: [n]f64) : ([3][n]f64, [n]f64) =
  let kept = map (+ 1) row
  let rows = loop rows = replicate 3 kept for i < n do rows with [1, i] = rows[0, i] * 2
  in (rows, kept)

-- ==
-- entry: update_in_branch
-- input { true [1.0, 2.0] } output { [[1.0, 2.0], [2.0, 3.0]] [2.0, 3.0] }
-- input { false [1.0, 2.0] } output { [[2.0, 3.0], [1.0, 2.0]] [2.0, 3.0] }
entry update_in_branch [n] (first: bool) (row: [n]f64) : ([2][n]f64, [n]f64) =
  let kept = map (+ 1) row
  let rows = replicate 2 kept
  in (if first then rows with [0] = row else rows with [1] = row, kept)

-- | Bins of rows: linear functions, composed.
-- ==
-- entry: compose
-- input { [0i64, 2i64, 2i64, 9i64] [[1.5, 2.0], [3.0, 0.5], [2.5, 1.25], [1.0, 1.0]] }
-- output { [[1.5, 2.0], [1.0, 0.0], [7.5, 2.5]] }
entry compose [n] (bins: [n]i64) (fs: [n][2]f64) : [3][2]f64 =
  reduce_by_index (replicate 3 [1, 0]) (\f g -> [f[0] * g[0], f[1] * g[0] + g[1]]) [1, 0] bins fs

-- | An operator that mentions a parameter: the larger, but no more than c.
-- ==
-- entry: capped
-- input { 2.0 [0i64, 2i64, 2i64] [1.5, -2.0, 3.0] } output { [1.5, 1.0, 2.0] }
entry capped [n] (c: f64) (bins: [n]i64) (xs: [n]f64) : [3]f64 =
  reduce_by_index (replicate 3 1) (\x y -> f64.max x (f64.min y c)) (-f64.inf) bins xs

-- | Equal values for one element.
-- ==
-- entry: one_place
-- input { 2i64 [0.0, 1.0, 2.0, 3.0] 7.5 } output { [0.0, 1.0, 7.5, 3.0] [0.0, 1.0, 7.5, 3.0] }
-- input { 4i64 [0.0, 1.0, 2.0, 3.0] 7.5 } output { [0.0, 1.0, 7.5, 3.0] [0.0, 1.0, 2.0, 3.0] }
entry one_place [n] (k: i64) (xs: [n]f64) (x: f64) : ([n]f64, [n]f64) =
  (scatter (copy xs) [2, 2] [x, x], scatter (copy xs) (replicate n k) (replicate n x))
