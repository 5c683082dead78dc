-- Maps in maps: flatten/perfect_nest.hpp.

-- nests: grid 3 store
-- input [[[1.0,2.0],[3.0,5.0]],[[1.0,3.0],[3.0,5.0]]]
entry three_dimensions [n][m][l] (xs: [n][m][l]f64) = map (map (map (* 2))) xs

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry in_a_loop [n][m] (xs: [n][m]f64) = map (\x -> loop y = 0 for i < 3 do y + f64.sum (map (* y) x) + f64.maximum x) xs

-- nests: grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]]
entry beside_a_number [n][m] (xs: [n][m]f64) : ([n][m]f64, [n]f64) = unzip (map (\x -> (map (* 2) x, x[0])) xs)

-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]]
entry exchanged [n][m] (xs: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  unzip (map (\x -> let (a, b) = unzip (map (\y -> (y * 2, y + 1)) x) in (b, a)) xs)

-- nests: grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]]
entry beside_another_array [n][m] (xs: [n][m]f64) : ([n][m]f64, [n][m]f64) = unzip (map (\x -> (map (* 2) x, reverse x)) xs)

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry scans_inside [n][m] (xs: [n][m]f64) = map (scan (+) 0) xs

-- nests: grid 2 store, grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]]
entry after_a_reduction [n][m] (xs: [n][m]f64) = map (\x -> let (y, s) = (map (* 2) x, f64.sum (map (* 2) x)) in map (* s) y) xs

-- nests: grid 1 store, grid 1 store, grid 1 reduce
-- input [[1.0,2.0],[3.0,5.0]]
entry reductions_inside [n][m] (xs: [n][m]f64) = (map f64.sum xs, f64.sum (map f64.maximum xs))

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry updated_rows [n][m] (xs: [n][m]f64) : [n][m]f64 = map (\x -> copy x with [0] = 7) xs
