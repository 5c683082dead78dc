-- Numbers of 16 bits: each operation rounds to them.

-- ==
-- entry: scale
-- input { 0.1f16 [1f16, 2.5f16, -3f16] } output { [0.1f16, 0.25f16, -0.3f16] }
entry scale [n] (a: f16) (xs: [n]f16) : [n]f16 = map (* a) xs

-- ==
-- entry: norm
-- input { [3f16, 4f16] } output { 5f16 }
-- input { empty([0]f16) } output { 0f16 }
entry norm [n] (xs: [n]f16) : f16 = f16.sqrt (f16.sum (map (\x -> x * x) xs))

-- ==
-- entry: gradient
-- input { [0.5f16, -0.25f16, 1f16] } output { [0.8774f16, 0.9688f16, 0.5405f16] }
entry gradient [n] (xs: [n]f16) : [n]f16 = vjp (\xs -> f16.sum (map f16.sin xs)) xs 1

-- Conversions, comparisons, and what has no function of 16 bits.
-- ==
-- entry: others
-- input { [0.5f16, 2f16, 7.75f16] [1i32, -2i32, 3i32] }
-- output { [1.648f16, 7.39f16, 2322f16] [0i64, 2i64, 7i64] [true, true, false] [1.5f32, 0f32, 10.75f32] }
entry others [n] (xs: [n]f16) (ks: [n]i32) : ([n]f16, [n]i64, [n]bool, [n]f32) =
  (map f16.exp xs, map i64.f16 xs, map (\x -> x < 4 && x != 0) xs, map2 (\x k -> f32.f16 (x + f16.i32 k)) xs ks)

-- Bins, running sums, and the least.
-- ==
-- entry: collected
-- input { [1f16, 0.5f16, 2f16, 0.25f16] [0i64, 1i64, 0i64, 5i64] } output { [3f16, 0.5f16] [1f16, 1.5f16, 3.5f16, 3.75f16] 0.25f16 }
entry collected [n] (xs: [n]f16) (is: [n]i64) : ([2]f16, [n]f16, f16) =
  (reduce_by_index (replicate 2 0) (+) 0 is xs, scan (+) 0 xs, f16.minimum xs)
