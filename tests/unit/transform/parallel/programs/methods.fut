-- How nests are computed: choose/choose.cpp.

-- nests: grid 1 store
-- grid: direct
-- workers: direct
-- input [1.0, 2.0]
entry stored [n] (xs: [n]f64) = map (* 2) xs

-- nests: grid 1 reduce
-- grid: library
-- workers: parts
-- input [1.0, 2.0, 4.0]
entry reduced [n] (xs: [n]f64) = reduce (*) 1 xs

-- nests: grid 2 reduce
-- grid: direct
-- workers: parts
-- input [[1.0, 2.0], [4.0, 8.0]]
entry columns [n][m] (xss: [n][m]f64) = reduce (map2 (*)) (replicate m 1) xss

-- nests: grid 1 scan
-- grid: library
-- workers: parts
-- input [1.0, 2.0, 4.0]
entry scanned [n] (xs: [n]f64) = scan (*) 1 xs

-- Of rows, in order.
-- nests: grid 1 store, grid 1 store
-- grid: direct, direct
-- workers: direct
-- input [[1.0, 2.0], [0.5, 8.0], [3.0, 4.0]]
entry rows_scanned [n] (xss: [n][2]f64) : [n][2]f64 =
  scan (\x y -> [x[0] * y[0], x[1] * y[0] + y[1]]) [1, 0] xss

-- nests: grid 1 histogram
-- grid: copies
-- workers: parts
-- input [0i64, 2i64, 0i64] [1i32, 2i32, 3i32]
entry counted [n] (is: [n]i64) (xs: [n]i32) = reduce_by_index (replicate 3 1) (*) 1 is xs

-- nests: grid 1 scatter
-- grid: atomic
-- workers: direct
-- input [0i64, 2i64] [1i32, 2i32]
entry scattered [n] (is: [n]i64) (xs: [n]i32) = scatter (replicate 3 1) is xs

-- nests: grid 1 add
-- grid: additions copies
-- workers: additions parts
-- input [1.0, 2.0] [0i64, 1i64, 0i64] [1.0, 2.0, 4.0]
entry added [n][m] (xs: [n]f64) (is: [m]i64) (ys: [m]f64) : [n]f64 = vjp (\xs -> map (\i -> xs[i]) is) xs ys

-- Nothing adds to 16 bits at once.
-- nests: grid 1 add
-- grid: additions atomic
-- workers: additions parts
-- input [1.0f16, 2.0f16] [0i64, 1i64, 0i64] [1.0f16, 2.0f16, 4.0f16]
entry added_halves [n][m] (xs: [n]f16) (is: [m]i64) (ys: [m]f16) : [n]f16 = vjp (\xs -> map (\i -> xs[i]) is) xs ys

-- Two arrays of one type have copies side by side.
-- nests: grid 1 add add
-- grid: additions copies
-- workers: additions parts
-- input [1.0, 2.0] [3.0, 4.0] [0i64, 1i64, 0i64] [1.0, 2.0, 4.0]
entry added_to_two [n][m] (xs: [n]f64) (ys: [n]f64) (is: [m]i64) (zs: [m]f64) =
  vjp (\(xs, ys) -> map (\i -> xs[i] * ys[i]) is) (xs, ys) zs

-- Those of two types have none.
-- nests: grid 1 add add
-- grid: additions atomic
-- workers: additions parts
-- input [1.0, 2.0] [3.0f32, 4.0f32] [0i64, 1i64, 0i64] [1.0, 2.0, 4.0]
entry added_to_two_types [n][m] (xs: [n]f64) (ys: [n]f32) (is: [m]i64) (zs: [m]f64) =
  vjp (\(xs, ys) -> map (\i -> xs[i] * f64.f32 ys[i]) is) (xs, ys) zs

-- Histograms with one neutral element have copies side by side, others have none.
-- nests: grid 1 histogram histogram
-- grid: copies, copies
-- workers: parts
-- input [0i64, 1i64, 0i64] [1i64, 2i64, 4i64]
entry two_counts [n] (is: [n]i64) (xs: [n]i64) = reduce_by_index (replicate 2 (0, 0)) (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) is (zip xs (map (* 3) xs))

-- nests: grid 1 histogram histogram
-- grid: atomic, atomic
-- workers: parts
-- input [0i64, 1i64, 0i64] [1i64, 2i64, 4i64]
entry sums_and_products [n] (is: [n]i64) (xs: [n]i64) = reduce_by_index (replicate 2 (0, 1)) (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) is (zip xs (map (* 3) xs))

-- A thread with an array of its own leaves no room for a copy.
-- nests: grid 2 add
-- grid: additions atomic
-- workers: additions parts
-- input [1.0, 2.0, 4.0] [[[3.0, 0.5], [2.0, 1.0]]] [[[0i64, 2i64], [2i64, 2i64]]] [1.0]
entry added_by_rows [n][d][k] (m: [k]f64) (xs: [n][d][d]f64) (iss: [n][d][d]i64) (seed: [n]f64) : [k]f64 =
  vjp (\m -> map2 (\x is -> f64.sum (map2 (\r is -> f64.sum (map2 (\r i -> r * #[unsafe] m[i]) r is)) (map (scan (+) 0) x) is)) xs iss) m seed
