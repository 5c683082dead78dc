-- Writing at indices that are data; what is out of range is ignored.

-- ==
-- entry: histogram
-- input { 3i64 [0i64, 2i64, 0i64, -1i64, 3i64] [1i32, 2i32, 3i32, 4i32, 5i32] } output { [4i32, 0i32, 2i32] }
entry histogram [n] (k: i64) (is: [n]i64) (xs: [n]i32) : [k]i32 = reduce_by_index (replicate k 0) (+) 0 is xs

entry largest [n] [k] (start: [k]i32) (is: [n]i64) (xs: [n]i32) : [k]i32 =
  reduce_by_index (copy start) i32.max i32.lowest is xs

-- ==
-- entry: placed
-- input { [9i32, 9i32, 9i32] [2i64, 0i64, 7i64] [1i32, 2i32, 3i32] } output { [2i32, 9i32, 1i32] }
entry placed [n] [k] (start: [k]i32) (is: [n]i64) (xs: [n]i32) : [k]i32 = scatter (copy start) is xs

entry histogram_vjp [n] [k] (is: [n]i64) (xs: [n]f64) (seed: [k]f64) : [n]f64 =
  vjp (\xs -> reduce_by_index (replicate k 0) (+) 0 is (map f64.sin xs)) xs seed

-- Sizes, which kernels may hold in narrower variables.
-- ==
-- entry: sizes_as_values
-- input { [0i64, 2i64, 0i64] [1i64, 2i64] } output { [2i64, 0i64, 2i64] [6i64, 1i64, 3i64] [4i64, 4i64, 2i64] [5i64, 1i64, 4i64] }
entry sizes_as_values [n] [m] (is: [n]i64) (js: [m]i64) : ([3]i64, [3]i64, [3]i64, [3]i64) =
  (reduce_by_index (replicate 3 0) i64.max 0 is (map (const m) is),
   reduce_by_index [0, 1, 0] (+) 0 is (map (const n) is),
   reduce_by_index (replicate 3 7) i64.min 9 (is ++ js) (map (\i -> if i == 2 then m else 4) (is ++ js)),
   reduce_by_index (replicate 3 1) (\a b -> a * b % 11 + 0 * n) 1 is (map (const (n + 1)) is))
