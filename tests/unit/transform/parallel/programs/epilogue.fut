-- Readers of scans: flatten/epilogue.hpp.

-- nests: grid 1 scan+2
-- input [1.0,2.0,3.0]
entry reader [n] (xs: [n]f64) : [n]f64 = map2 (\s i -> s * f64.i64 i) (scan (+) 0 xs) (iota n)

-- nests: grid 1 scan+2
-- input [1.0,2.0,3.0] [1.0,2.0,3.0]
entry reader_of_both_components [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = let (a, b) = unzip (scan (\(a,b) (c,d) -> (a+c,b+d)) (0,0) (zip xs ys)) in map2 (\a b -> a + b * b) a b

-- nests: grid 1 scan, grid 1 store
-- input [1.0,2.0,3.0] [1.0,2.0,3.0]
entry one_of_two_backwards [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = let (a, b) = unzip (scan (\(a,b) (c,d) -> (a+c,b+d)) (0,0) (zip xs ys)) in map2 (\a b -> a + b * b) a (reverse b)

-- nests: grid 1 scan, grid 1 store
-- input [1.0,2.0,3.0]
entry other_elements [n] (xs: [n]f64) : [n]f64 = let s = scan (+) 0 xs in map (\i -> s[n - 1 - i] + s[i]) (iota n)

-- nests: grid 1 scan, grid 1 reduce
-- input [1.0,2.0,3.0]
entry reader_that_combines [n] (xs: [n]f64) : f64 = let s = scan (+) 0 xs in reduce (+) 0 (map (\x -> x*x) s)

-- nests: grid 1 scan, grid 1 store
-- input [1.0,2.0,3.0]
entry reader_with_a_loop [n] (xs: [n]f64) : [n]f64 = let s = scan (+) 0 xs in map (\x -> loop x for i < 3 do x * x - 1) s

-- nests: grid 1 scan, grid 1 scan
-- input [1.0,2.0,3.0]
entry reader_that_scans [n] (xs: [n]f64) : [n]f64 = scan (+) 0 (map (* 2) (scan (+) 0 xs))

-- nests: grid 1 store, grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,4.0]]
entry rows [n][m] (xs: [n][m]f64) : [n][m]f64 = map (map (* 2)) (scan (map2 (+)) (replicate m 0) xs)
