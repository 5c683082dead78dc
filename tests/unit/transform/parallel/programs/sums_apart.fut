-- Sums that the nest of a point needs: flatten/sums_apart.hpp.

-- nests: grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry normalised [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][k]f64 =
  map (\xs -> let total = f64.sum xs in map (\c -> f64.maximum (map2 (*) xs c) / total) cs) xss

-- One needs the other.
-- nests: grid 1 store store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry one_after_the_other [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][k]f64 =
  map (\xs -> let largest = f64.maximum xs
              let total = f64.sum (map (\x -> f64.exp (x - largest)) xs)
              in map (\c -> largest + total * f64.maximum (map2 (*) xs c)) cs) xss

-- Points without loops may as well be computed one after the other.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry without_loop [n][d] (xss: [n][d]f64) : [n][d]f64 =
  map (\xs -> let total = f64.sum xs in map (/ total) xs) xss

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]]
entry few_points [n][d] (xss: [n][d]f64) (cs: [2][d]f64) : [n][2]f64 =
  map (\xs -> let total = f64.sum xs in map (\c -> f64.maximum (map2 (*) xs c) / total) cs) xss

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
-- failing input [[1.0,2.0],[3.0,-5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry checked [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][k]f64 =
  map (\xs -> let total = f64.sum xs let total = assert (total > 0) total in map (\c -> f64.maximum (map2 (*) xs c) / total) cs) xss

-- A row is in the way.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry row_in_between [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][k]f64 =
  map (\xs -> let total = f64.sum xs let sums = scan (+) total xs in map (\c -> f64.maximum (map2 (*) sums c)) cs) xss
