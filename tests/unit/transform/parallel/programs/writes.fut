-- Histograms and scatters: flatten/histograms.hpp, flatten.cpp.

-- nests: grid 1 store, grid 1 store
-- input [1i64,2i64,3i64] [0i64,1i64,1i64] 7i64
-- input empty([0]i64) empty([0]i64) 7i64
entry with_a_variable [n] (xs: [n]i64) (is: [n]i64) (k: i64) : [2]i64 = hist (\a b -> (a * b) % k) 1 2 is xs

-- nests: grid 1 store store, grid 1 store store
-- input [1i64,2i64,3i64] [0i64,1i64,1i64]
entry pairs [n] (xs: [n]i64) (is: [n]i64) = hist (\(a,b) (c,d) -> (a * c, b * c + d)) (1,0) 2 is (zip xs xs)

-- nests: grid 1 histogram histogram
-- input [1i64,2i64,3i64] [0i64,1i64,1i64]
entry pairs_component_by_component [n] (xs: [n]i64) (is: [n]i64) = hist (\(a,b) (c,d) -> (a * c, b + d)) (1,0) 2 is (zip xs (map (+ 1) xs))

-- nests: grid 2 histogram
-- input [[1i64,2i64],[2i64,2i64],[3i64,4i64]] [0i64,1i64,1i64]
entry rows [n][d] (xs: [n][d]i64) (is: [n]i64) = hist (map2 (*)) (replicate d 1) 2 is xs

-- nests: grid 1 store, grid 1 store, grid 2 store
-- input [[1i64,2i64],[2i64,2i64],[3i64,4i64]] [0i64,1i64,1i64] [1i64,1i64]
entry rows_by_an_unknown_neutral_element [n][d] (xs: [n][d]i64) (is: [n]i64) (ne: [d]i64) = hist (map2 (*)) ne 2 is xs

-- What stands in an array is not stored once more.
-- nests: grid 1 store, grid 2 histogram
-- input [[1i64,2i64],[2i64,2i64],[3i64,4i64]] [0i64,1i64,1i64]
entry rows_that_are_computed [n][d] (xs: [n][d]i64) (is: [n]i64) = hist (map2 (*)) (replicate d 1) 2 is (map (scan (+) 0) xs)

-- nests: grid 1 histogram
-- input [1i64,2i64,3i64] [0i64,1i64,1i64] [1i64,0i64,0i64]
entry two_indices [n] (xs: [n]i64) (is: [n]i64) (js: [n]i64) = reduce_by_index_2d (replicate 2 (replicate 3 0)) (+) 0 (zip is js) xs

-- nests: thread 1 scatter
-- input [1i64,2i64,3i64] [0i64,1i64,2i64]
entry to_one_place [n] (xs: *[n]i64) (vs: [n]i64) = scatter xs (replicate n 0) vs

-- nests: grid 1 scatter
-- input [1i64,2i64,3i64] [0i64,2i64,1i64] [4i64,5i64,6i64]
entry scattered [n] (xs: *[n]i64) (is: [n]i64) (vs: [n]i64) = scatter xs is vs

-- nests: grid 1 scatter
-- input [[1i64,2i64,3i64],[1i64,2i64,3i64]] [0i64,2i64,1i64] [4i64,5i64,6i64]
entry to_one_row [n][m] (xs: *[m][n]i64) (is: [n]i64) (vs: [n]i64) = scatter_2d xs (zip (replicate n 1) is) vs

-- nests: grid 1 store store, grid 1 scatter
-- input [1i64,2i64,3i64,4i64] [4i64,5i64,6i64]
entry by_index [n][m] (xs: *[m]i64) (vs: [n]i64) = scatter xs (map (+ 1) (iota n)) (map2 (*) vs (iota n))

-- nests: grid 1 scatter
-- input 4i64 [1i64,1i64,1i64,1i64,1i64]
entry counts [m] (n: i64) (xs: *[m]i64) = scatter xs (iota n) (iota n)

-- nests: grid 1 scatter
-- input [[1i64,2i64,3i64],[1i64,2i64,3i64]] [0i64,1i64] [[4i64,5i64,6i64],[7i64,8i64,9i64]]
entry scattered_rows [n][m] (xs: *[m][n]i64) (is: [m]i64) (vs: [m][n]i64) = scatter xs is vs

-- As many histograms as take no more memory than the elements, the last chunk smaller than the others; bins of nothing.
-- nests: grid 1 store, grid 1 store store, grid 1 store store, grid 1 store store
-- input 10i64 3i64
-- input 3000i64 2i64
-- input 5i64 9i64
-- input 5i64 0i64
-- input 0i64 3i64
entry in_chunks (n: i64) (k: i64) : [k](i64, i64) =
  reduce_by_index (tabulate k (\b -> (b + 2, b))) (\(a, b) (c, d) -> (a * c % 1009, (b * c + d) % 1009)) (1, 0)
                  (map (\i -> i * i % (k + 2) - 1) (iota n)) (map (\i -> (i % 5 + 1, i)) (iota n))

-- nests: grid 1 store store store, grid 1 store store, grid 2 store store
-- input 1000i64 3i64 2i64
entry in_chunks_of_two_indices (n: i64) (k: i64) (m: i64) : [k][m](i64, i64) =
  reduce_by_index_2d (replicate k (replicate m (5, 7))) (\(a, b) (c, d) -> (a * c % 1009, (b * c + d) % 1009)) (1, 0)
                     (map (\i -> (i % (k + 1), i / 3 % m)) (iota n)) (map (\i -> (i % 5 + 1, i)) (iota n))

-- nests: thread 1 histogram
-- input [1i64,2i64,3i64] 7i64
entry of_few (xs: [3]i64) (k: i64) : [2]i64 = hist (\a b -> (a * b) % k) 1 2 [0, 1, 1] xs
