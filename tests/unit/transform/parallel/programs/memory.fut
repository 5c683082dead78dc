-- Points that need memory are stored before a library combines them: flatten/memory.hpp.

-- nests: grid 1 reduce
-- input empty([0][64]f64)
entry as_many_as_fit_in_registers [n] (xs: [n][64]f64) : f64 = f64.sum (map (\x -> f64.maximum (scan (+) 0 x)) xs)

-- nests: grid 1 store, grid 1 reduce
-- input empty([0][65]f64)
entry one_more [n] (xs: [n][65]f64) : f64 = f64.sum (map (\x -> f64.maximum (scan (+) 0 x)) xs)

-- nests: grid 1 store, grid 1 reduce
-- input empty([0][8][9]f64)
entry more_in_two_dimensions [n] (xs: [n][8][9]f64) : f64 = f64.sum (map (\x -> f64.maximum (flatten (map (scan (+) 0) x))) xs)

-- nests: grid 1 store, grid 1 reduce
-- input [[1.0,2.0,3.0],[1.0,2.0,4.0]]
entry slices [n][m] (xs: [n][m]f64) : f64 = f64.sum (map (\x -> let y = x[m/2:] in f64.maximum y - f64.sum (map2 (*) y y)) xs)

-- nests: grid 1 store, grid 1 reduce
-- input [[[1.0,2.0,3.0],[1.0,2.0,4.0]]]
entry transposed [n][m][k] (xs: [n][k][m]f64) : f64 = f64.sum (map (\x -> f64.sum (map f64.maximum (transpose x)) - f64.sum (map f64.minimum (transpose x))) xs)

-- nests: grid 1 store, grid 1 reduce
-- input [[[1.0,2.0,3.0],[1.0,2.0,4.0]]] 2i64
entry flattened [n][m][k] (xs: [n][k][m]f64) (l: i64): f64 = f64.sum (map (\x -> let y = flatten x in loop s = 0 for i < l do s + f64.sum (map2 (*) y (reverse y))) xs)

-- nests: grid 1 store, grid 1 reduce
-- input [[[1.0,2.0,3.0],[1.0,2.0,4.0]]] 2i64
entry transposed_and_flattened [n][m][k] (xs: [n][k][m]f64) (l: i64): f64 = f64.sum (map (\x -> let y = flatten (transpose x) in loop s = 0 for i < l do s + f64.sum (map2 (*) y (reverse y))) xs)

-- nests: grid 1 store, grid 1 reduce
-- input [1i64,2i64,0i64] 3i64
entry updated_counts [n] (is: [n]i64) (k: i64): i64 = i64.sum (map (\i -> let y = (iota k) with [i] = 7 in i64.sum y) is)

-- nests: grid 1 store, grid 1 reduce
-- input [1i64,2i64,0i64] 3i64
entry in_a_branch [n] (is: [n]i64) (k: i64): i64 = i64.sum (map (\i -> if i > 0 then i64.sum (scan (+) 0 (iota k)) else 0) is)

-- nests: grid 1 store, grid 1 reduce
-- input [1i64,2i64,0i64] 3i64
entry counts [n] (is: [n]i64) (k: i64): i64 = i64.sum (map (\i -> let y = iota k in loop s = 0 for j < i do s + i64.sum (map (\v -> v * y[(v + j) % k]) y)) is)

-- nests: grid 1 reduce
-- input [[1.0,2.0,3.0],[4.0,5.0,6.0]]
entry few_elements [n] (xs: [n][3]f64) : f64 = f64.sum (map (\x -> let y = x[1:] in f64.maximum y - f64.sum (map2 (*) y y)) xs)
