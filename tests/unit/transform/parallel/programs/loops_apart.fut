-- Sums and rows that the nest of a point needs: flatten/loops_apart.hpp.

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

-- nests: grid 1 store, grid 2 store
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

-- nests: grid 1 store, grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry sum_and_row [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][k]f64 =
  map (\xs -> let total = f64.sum xs let sums = scan (+) total xs in map (\c -> f64.maximum (map2 (*) sums c)) cs) xss

-- A row that is a result of the point, too.
-- nests: grid 2 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry row_result [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][d]f64, [n][k]f64) =
  unzip (map (\xs -> let row = map (+ 1) xs in (row, map (\c -> f64.sum (map2 (*) row c)) cs)) xss)

-- How many threads the row has depends on the point.
-- nests: grid 1 reduce, grid 1 store
-- input [0i64, 2i64] [1.0,2.0,3.0]
entry irregular [n][m] (ks: [n]i64) (xs: [m]f64) : [n][m]f64 =
  map (\k -> let sums = scan (+) 0 (map (\i -> #[unsafe] xs[i]) (iota k)) in map (\x -> x + f64.sum (map (* x) sums)) xs) ks

-- What else a point yields has a nest of its own.
-- nests: grid 1 store, grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]]
entry beside_a_sum [n][m] (xss: [n][m]f64) : ([n]f64, [n][m]f64) =
  unzip (map (\xs -> let total = f64.sum xs in (f64.sin total, map (/ total) xs)) xss)

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry sum_beside [n][m] (xss: [n][m]f64) : ([n][m]f64, [n]f64) = unzip (map (\xs -> (map (* 2) xs, f64.sum xs)) xss)

-- The winner of a point is one element of a row.
-- nests: grid 1 store, grid 2 store
-- joint: 1, 0
-- input [[1.0,2.0],[3.0,5.0]] [2.0, 3.0]
-- input empty([2][0]f64) [2.0, 3.0]
entry winners [n][m] (xss: [n][m]f64) (ws: [n]f64) : [n][m]f64 = vjp (map f64.maximum) xss ws
