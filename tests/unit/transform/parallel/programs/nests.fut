-- Maps in maps: flatten/perfect_nest.hpp.

-- nests: grid 3 store
-- input [[[1.0,2.0],[3.0,5.0]],[[1.0,3.0],[3.0,5.0]]]
entry three_dimensions [n][m][l] (xs: [n][m][l]f64) = map (map (map (* 2))) xs

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry in_a_loop [n][m] (xs: [n][m]f64) = map (\x -> loop y = 0 for i < 3 do y + f64.sum (map (* y) x) + f64.maximum x) xs
