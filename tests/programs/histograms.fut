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

-- Bins from the last to the first.
-- ==
-- entry: backwards
-- input { 3i64 [0i64, 2i64, 0i64, -1i64, 3i64, 1i64] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { [2.0, 6.0, 4.0] }
entry backwards [n] (k: i64) (is: [n]i64) (xs: [n]f64) : [k]f64 = reverse (reduce_by_index (replicate k 0) (+) 0 is xs)

-- Cells narrower than a word: others are beside them.
-- ==
-- entry: narrow
-- input { [0i64, 1i64, 0i64, 3i64, 3i64, 4i64, -1i64] [1i8, 2i8, 127i8, 4i8, 5i8, 6i8, 7i8] [3i16, -4i16, 7i16, -32768i16, -2i16, 5i16, 6i16] }
-- output { [-128i8, 2i8, 0i8, 9i8] [7i16, -4i16, -9i16, -2i16] [3i16, -4i16, 9i16, -32768i16] }
entry narrow [n] (is: [n]i64) (xs: [n]i8) (ys: [n]i16) : ([4]i8, [4]i16, [4]i16) =
  (reduce_by_index (replicate 4 0) (+) 0 is xs,
   reduce_by_index (replicate 4 (-9)) i16.max i16.lowest is ys,
   reduce_by_index (replicate 4 9) i16.min i16.highest is ys)

-- As wide as two words.
-- ==
-- entry: wide
-- input { [0i64, 1i64, 0i64, 3i64, 0i64, 3i64] [-1i64, 5000000000i64, 3i64, -7000000000i64, -4i64, 1i64] }
-- output { [-2i64, 5000000000i64, 0i64, -6999999999i64] [3i64, 5000000000i64, -9i64, 1i64] [-4i64, 9i64, 9i64, -7000000000i64] }
entry wide [n] (is: [n]i64) (xs: [n]i64) : ([4]i64, [4]i64, [4]i64) =
  (reduce_by_index (replicate 4 0) (+) 0 is xs,
   reduce_by_index (replicate 4 (-9)) i64.max i64.lowest is xs,
   reduce_by_index (replicate 4 9) i64.min i64.highest is xs)

-- The largest and smallest of those that are numbers.
-- ==
-- entry: extremes
-- input { [0i64, 2i64, 0i64, 2i64, 0i64, 1i64] [1.5, f64.nan, f64.nan, -2.0, 0.5, f64.nan] }
-- output { [1.5, -f64.inf, -2.0] [0.5, f64.inf, -2.0] }
-- input { [0i64, 0i64, 0i64, 5i64] [f64.nan, -7.0, 3.0, 9.0] } output { [3.0, -f64.inf, -f64.inf] [-7.0, f64.inf, f64.inf] }
entry extremes [n] (is: [n]i64) (xs: [n]f64) : ([3]f64, [3]f64) =
  (reduce_by_index (replicate 3 (-f64.inf)) f64.max (-f64.inf) is xs, reduce_by_index (replicate 3 f64.inf) f64.min f64.inf is xs)

-- Sizes, which kernels may hold in narrower variables.
-- ==
-- entry: sizes_as_values
-- input { [0i64, 2i64, 0i64] [1i64, 2i64] } output { [2i64, 0i64, 2i64] [6i64, 1i64, 3i64] [4i64, 4i64, 2i64] [5i64, 1i64, 4i64] }
entry sizes_as_values [n] [m] (is: [n]i64) (js: [m]i64) : ([3]i64, [3]i64, [3]i64, [3]i64) =
  (reduce_by_index (replicate 3 0) i64.max 0 is (map (const m) is),
   reduce_by_index [0, 1, 0] (+) 0 is (map (const n) is),
   reduce_by_index (replicate 3 7) i64.min 9 (is ++ js) (map (\i -> if i == 2 then m else 4) (is ++ js)),
   reduce_by_index (replicate 3 1) (\a b -> a * b % 11 + 0 * n) 1 is (map (const (n + 1)) is))

-- | Sums of integers wrap around, also where atomics add.
-- ==
-- entry: wrapped
-- input { [0i64, 1i64, 0i64, 1i64] [2147483647i32, -2147483648i32, 3i32, -1i32] [9223372036854775807i64, 1i64, 2i64, 3i64] }
-- output { [-2147483646i32, 2147483647i32] [-9223372036854775807i64, 4i64] }
entry wrapped [n] (is: [n]i64) (xs: [n]i32) (ys: [n]i64) : ([2]i32, [2]i64) =
  (reduce_by_index (replicate 2 0) (+) 0 is xs, reduce_by_index (replicate 2 0) (+) 0 is ys)

-- Values that follow from the cells as they were before.
-- ==
-- entry: of_cells
-- input { 2i64 [10i64, 20i64, 30i64] [0i64, 0i64, 1i64, 0i64] } output { [175i64, 83i64, 30i64] }
entry of_cells [n] [k] (steps: i64) (xs: [k]i64) (is: [n]i64) : [k]i64 =
  loop cells = copy xs for _ in iota steps do
    reduce_by_index cells (+) 0 is (map (\i -> cells[i] + 1) is)

-- What cells start from is computed.
-- ==
-- entry: computed_start
-- input { [[1.0, 2.0], [3.0, 4.0]] [5i64, 8i64] [0i64, 1i64] [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 4.0], [6.0, 8.0]] }
entry computed_start [k] [d] (cells: [k][d]f64) (ns: [d]i64) (is: [d]i64) (rows: [d][d]f64) : [k][d]f64 =
  let (zeros, scaled) = unzip (map2 (\n row -> let zero = f64.i64 (n * n % 2 - n % 2) in (zero, map (+ zero) row)) ns rows)
  in reduce_by_index (copy cells) (map2 (+)) zeros is scaled
