-- Arithmetic on the results of reductions: flatten/scalar_epilogue.hpp.

-- nests: grid 1 reduce reduce
-- input [1.0,2.0,3.0]
entry two_reductions_in_one [n] (xs: [n]f64) : f64 = let s = f64.sum xs let m = f64.maximum xs in s * 2 + m

-- nests: grid 1 reduce+1
-- input [1i64,2i64] 4i64
entry divisions_may_fail [n] (xs: [n]i64) (k: i64) : (i64, i64) = let s = i64.sum xs in (s / k, s + k)

-- nests: grid 1 reduce+1, grid 1 reduce+3
-- input [1.0,2.0,3.0] [4.0,5.0]
entry one_after_the_other [n][m] (xs: [n]f64) (ys: [m]f64): (f64, f64, f64) = let s = f64.sum xs let t = f64.sum ys let c = f64.i64 n * 2 in (s * t + c, s * c, t - c)

-- The host knows its part: it is no work of the device.
-- nests: grid 1 reduce, grid 1 reduce+3
-- input [1.0,2.0,3.0] [4.0,5.0]
entry the_last_one_has_it_all [n][m] (xs: [n]f64) (ys: [m]f64): f64 = let s = f64.sqrt (f64.sum xs) let c = f64.i64 n * 2 let t = f64.sum ys in s - c * t

-- nests: grid 1 reduce+1, grid 1 reduce+1, grid 1 store
-- input [1.0,2.0,3.0] [4.0,5.0]
entry what_a_map_needs_too [n][m] (xs: [n]f64) (ys: [m]f64): (f64, [n]f64) = let s = f64.sqrt (f64.sum xs) let t = f64.sum ys in (s - t, map (* s) xs)

-- What only a later nest knows cannot be in it.
-- nests: grid 1 reduce, grid 1 scan
-- input [1.0,2.0,3.0]
entry an_element_of_a_scan [n] (xs: [n]f64) : f64 = let s = f64.maximum xs let sums = scan (+) 0 (map (\x -> x - s) xs) in s * sums[n / 2]

-- nests: grid 1 reduce+2, grid 1 store
-- input [1.0,2.0,3.0]
entry results_that_others_need [n] (xs: [n]f64) : (f64, [n]f64) = let s = f64.sum xs let t = s + 1 in (t * s, map (* t) xs)

-- nests: thread 1 reduce
-- input [1.0,2.0]
entry few_elements (xs: [2]f64) : f64 = f64.sum xs

-- The host waits for sizes, and then computes with them itself.
-- nests: grid 1 reduce, grid 1 store
-- input [1i64,6i64,3i64]
entry of_a_size [n] (xs: [n]i64) : []i64 =
  let k = i64.sum (map (\x -> x & 3) xs)
  let larger = i64.max 2 k
  in map (\i -> i * 7 % larger) (iota k)
