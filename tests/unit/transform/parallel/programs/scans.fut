-- Who computes scans, and in which parts.

-- nests: grid 1 store, grid 1 store
-- input [1i64,2i64,3i64] 7i64
-- input empty([0]i64) 7i64
entry with_a_variable [n] (xs: [n]i64) (k: i64) : [n]i64 = scan (\a b -> (a * b) % k) 1 xs

-- nests: grid 1 store store, grid 1 scan
-- input [[1.0,2.0],[3.0,5.0]]
entry beside_results [n][m] (xs: [n][m]f64) : ([n]f64,[n]f64) = let (a, b) = unzip (map (\x -> (f64.sum x, x[0])) xs) in (scan (+) 0 a, b)

-- nests: grid 1 store, grid 1 scan
-- input [[1.0,2.0],[3.0,5.0]]
entry of_points_with_memory [n][m] (xs: [n][m]f64) : [n]f64 = scan (+) 0 (map (\x -> f64.sum (scan (+) 0 x)) xs)

-- In chunks of two and three, the last one of one: more elements than chunks.
-- nests: grid 1 store store, grid 1 store store, grid 1 store store
-- input 2049i64
-- input 2050i64
-- input 0i64
entry in_long_chunks (n: i64) : [n](i64, i64) =
  scan (\(a, b) (c, d) -> (a * c % n, (b * c + d) % n)) (1, 0) (map (\i -> (i * i % 7 + 1, i)) (iota n))

-- nests: grid 3 store, grid 1 store, grid 1 store
-- input 2500i64
entry of_products_of_matrices (n: i64) : [n][2][2]i64 =
  let mul a b = map (\r -> map (\c -> i64.sum (map2 (*) r c) % 1009) (transpose b)) a
  in scan mul [[1,0],[0,1]] (tabulate_3d n 2 2 (\i j k -> i * j + k + 1))

-- nests: thread 1 scan
-- input 7i64
entry of_few (k: i64) : [64]i64 = scan (\a b -> (a * b) % k) 1 (iota 64)
