-- Who computes scans, and in which parts.

-- nests: thread 1 scan
-- input [1i64,2i64,3i64] 7i64
entry with_a_variable [n] (xs: [n]i64) (k: i64) : [n]i64 = scan (\a b -> (a * b) % k) 1 xs

-- nests: grid 1 store store, grid 1 scan
-- input [[1.0,2.0],[3.0,5.0]]
entry beside_results [n][m] (xs: [n][m]f64) : ([n]f64,[n]f64) = let (a, b) = unzip (map (\x -> (f64.sum x, x[0])) xs) in (scan (+) 0 a, b)

-- nests: grid 1 store, grid 1 scan
-- input [[1.0,2.0],[3.0,5.0]]
entry of_points_with_memory [n][m] (xs: [n][m]f64) : [n]f64 = scan (+) 0 (map (\x -> f64.sum (scan (+) 0 x)) xs)
