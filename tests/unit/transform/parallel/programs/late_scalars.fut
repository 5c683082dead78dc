-- Arithmetic between nests that only nests need: flatten/late_scalars.hpp. `host: n` operations stay between them.

-- nests: grid 1 reduce reduce, grid 1 store
-- host: 0
-- input [1.0,2.0,4.0]
-- input empty([0]f64)
entry a_map_needs_it [n] (xs: [n]f64) : [n]f64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) in let c = a / (b + 3) in map (* c) xs

-- nests: grid 1 reduce+2, grid 1 store, grid 1 store
-- host: 0
-- input [1.0,2.0,4.0] [3.0]
entry two_maps_need_it [n][m] (xs: [n]f64) (ys: [m]f64) : ([n]f64, [m]f64) = let s = f64.sum xs let c = s * s + 1 in (map (* c) xs, map (+ c) ys)

-- nests: grid 1 reduce reduce, grid 1 store
-- host: 1
-- input [1.0,2.0,4.0]
entry a_result_needs_it [n] (xs: [n]f64) : ([n]f64, f64) = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) let c = a / b in (map (* c) xs, c)

-- nests: grid 1 reduce reduce, grid 1 store
-- host: 1
-- input [2i64,3i64]
-- failing input [0i64]
entry it_may_fail [n] (xs: [n]i64) : [n]i64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) let c = a / b in map (* c) xs

-- nests: grid 1 reduce reduce, grid 1 reduce
-- host: 2
-- input [1.0,2.0,4.0]
entry a_library_call_computes_each_element_anew [n] (xs: [n]f64) : f64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) let c = f64.exp (a / b) in f64.sum (map (* c) xs)

-- nests: grid 1 reduce reduce, grid 1 reduce
-- host: 0
-- input [1.0,2.0,4.0]
entry cheap_for_a_library_call [n] (xs: [n]f64) : f64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) in f64.sum (map (* (a + b)) xs)

-- nests: grid 1 store
-- host: 2
-- input [1.0,2.0,4.0] 3i64
entry the_host_knows_it [n] (xs: [n]f64) (k: i64) : [n]f64 = let c = f64.i64 (k + 1) in map (* c) xs

-- nests: grid 1 reduce reduce, grid 1 store
-- host: 0
-- input [1.0,2.0,4.0]
entry inside_of_a_loop [n] (xs: [n]f64) : [n]f64 = loop ys = xs for _i < 3 do let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip ys ys) in map (/ (a + b)) ys

-- nests: grid 1 reduce reduce, grid 1 store
-- host: 1
-- input [1i64,2i64]
entry it_is_a_size [n] (xs: [n]i64) : []i64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, i64.max b d)) (0, 0) (zip xs xs) in map (+ 1) (iota (a + b))

-- nests: grid 1 reduce reduce, grid 1 reduce
-- host: 1
-- input [1.0,2.0,4.0]
entry it_is_a_neutral_element_too [n] (xs: [n]f64) : f64 = let (a, b) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) let s = a + b in reduce (+) s (map (* s) xs)
