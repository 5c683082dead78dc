-- Additions that many threads would share: with --deterministic they come in one order.

-- | Sums of floats by cell, with places out of bounds.
-- ==
-- entry: sums
-- input { [0.1f32, 0.2f32, 0.3f32] [2i64, 0i64, 2i64, 5i64, 1i64, 2i64, -1i64, 0i64] [1e-3f32, 2e5f32, 3.25f32, 4f32, 0.7f32, 1.1e4f32, 6f32, 0.9f32] }
-- output { [200001.0f32, 0.9f32, 11003.551f32] }
entry sums [n] [k] (start: [k]f32) (is: [n]i64) (xs: [n]f32) : [k]f32 = reduce_by_index (copy start) (+) 0 is xs

-- | What is read at places that data tell is added to on the way back.
-- ==
-- entry: gather
-- input { [2i64, 0i64, 2i64, 1i64, 2i64] [0.1f32, 20f32, 3.25f32, 4f32, 0.7f32] [1f32, 2f32, 3f32] } output { [20f32, 8f32, 12.15f32] }
entry gather [n] [k] (is: [n]i64) (xs: [n]f32) (ys: [k]f32) : [k]f32 =
  vjp (\ys -> f32.sum (map2 (\i x -> x * ys[i]) is xs)) ys 1 |> map2 (*) ys |> map (f32.min 1e6)

-- | The same in branches, in a loop of the host, and for rows.
-- ==
-- entry: in_branches
-- input { 2i64 [1i64, 0i64, 1i64] [0.5f64, 2f64, -1f64] [[1f64, 2f64], [3f64, 4f64]] } output { [[1.4f64, 2.4f64], [3.935f64, 4.745f64]] }
entry in_branches [n] [k] [d] (steps: i64) (is: [n]i64) (xs: [n]f64) (rows: [k][d]f64) : [k][d]f64 =
  loop rows for _s < steps do
    let rows_adj = vjp (\rows -> f64.sum (map2 (\i x -> if x > 0 then x * f64.sum rows[i] else rows[i, 0] * rows[i, d - 1]) is xs)) rows 1
    in map2 (map2 (\r a -> r + 0.1 * a)) rows rows_adj

-- | Running sums and products.
-- ==
-- entry: prefixes
-- input { [1f32, 2f32, 3f32] } output { [1f32, 3f32, 6f32] [1f32, 2f32, 6f32] }
-- input { empty([0]f32) } output { empty([0]f32) empty([0]f32) }
entry prefixes [n] (xs: [n]f32) : ([n]f32, [n]f32) = (scan (+) 0 xs, scan (*) 1 xs)

-- | Of a linear recurrence.
-- ==
-- entry: recurrence
-- input { [2f64, 3f64] [1f64, 1f64] } output { [1f64, 4f64] }
entry recurrence [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys) |> map (.1)

-- | Rows that come to cells.
-- ==
-- entry: rows
-- input { [[1f32, 2f32], [3f32, 4f32]] [1i64, 0i64, 1i64, 7i64] [[0.5f32, 1f32], [2f32, 0.25f32], [-1f32, 8f32], [9f32, 9f32]] }
-- output { [[3f32, 2.25f32], [2.5f32, 13f32]] }
entry rows [n] [k] [m] (cells: [k][m]f32) (is: [n]i64) (xss: [n][m]f32) : [k][m]f32 =
  reduce_by_index (copy cells) (map2 (+)) (replicate m 0) is xss
