-- Who computes reductions, and in which parts: flatten/flatten.cpp, chunks.hpp, vectorised.hpp, unfuse.hpp.

-- nests: thread 1 reduce
-- input [1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0,16.0,17.0,18.0,19.0,20.0,21.0,22.0,23.0,24.0,25.0,26.0,27.0,28.0,29.0,30.0,31.0,32.0,33.0,34.0,35.0,36.0,37.0,38.0,39.0,40.0,41.0,42.0,43.0,44.0,45.0,46.0,47.0,48.0,49.0,50.0,51.0,52.0,53.0,54.0,55.0,56.0,57.0,58.0,59.0,60.0,61.0,62.0,63.0,64.0]
entry of_64_numbers (xs: [64]f64) : f64 = f64.sum xs

-- nests: grid 1 reduce
-- input [1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0,16.0,17.0,18.0,19.0,20.0,21.0,22.0,23.0,24.0,25.0,26.0,27.0,28.0,29.0,30.0,31.0,32.0,33.0,34.0,35.0,36.0,37.0,38.0,39.0,40.0,41.0,42.0,43.0,44.0,45.0,46.0,47.0,48.0,49.0,50.0,51.0,52.0,53.0,54.0,55.0,56.0,57.0,58.0,59.0,60.0,61.0,62.0,63.0,64.0,65.0]
entry of_65_numbers (xs: [65]f64) : f64 = f64.sum xs

-- nests: grid 1 store
-- input [1.0,2.0]
entry arrays (xs: [2]f64) : [2]f64 = map (* 2) xs

-- nests: grid 1 store, thread 1 reduce
-- input [1.0,2.0] 5i64
entry many_elements_inside (xs: [2]f64) (n: i64) : f64 = f64.sum (map (\x -> f64.sum (map (\i -> x * f64.i64 i) (iota n))) xs)

-- nests: grid 1 store, thread 1 reduce
-- input [[1.0,2.0],[3.0,5.0]]
entry arrays_inside [m] (xss: [2][m]f64) : f64 = f64.sum (map (\x -> f64.sum (scan (+) 0 x)) xss)

-- nests: grid 1 store, grid 1 store, grid 1 store
-- input [[[1.0,2.0],[3.0,5.0]],[[1.0,3.0],[3.0,5.0]]]
entry products_of_matrices [n] (xs: [n][2][2]f64) : [2][2]f64 = reduce (\a b -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) [[1,0],[0,1]] xs

-- nests: thread 1 reduce
-- input [[[1.0,2.0],[3.0,5.0]],[[1.0,3.0],[3.0,5.0]]]
entry product_of_two_matrices (xs: [2][2][2]f64) : [2][2]f64 = reduce (\a b -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) [[1,0],[0,1]] xs

-- nests: grid 1 store, grid 1 store, grid 1 store
-- input [1i64,2i64,3i64] 7i64
entry with_a_variable [n] (xs: [n]i64) (k: i64) : i64 = reduce (\a b -> (a * b) % k) 1 xs

-- nests: grid 1 reduce
-- input [1i64,2i64,3i64]
entry said_to_commute [n] (xs: [n]i64) : i64 = reduce_comm (\a b -> i64.min a (b + 0) + 0 * (a - b)) i64.highest xs

-- nests: grid 1 reduce
-- input [1i64,2i64,3i64]
entry of_pairs [n] (xs: [n]i64) : (i64,i64) = reduce (\(a,b) (c,d) -> (a*c, b*c+d)) (1,0) (zip xs xs)

-- nests: grid 1 reduce
-- input [1i64,2i64,3i64]
entry of_pairs_said_to_commute [n] (xs: [n]i64) : (i64,i64) = reduce_comm (\(a,b) (c,d) -> (i64.max a c, if a > c || (a == c && b > d) then b else d)) (0,0) (zip xs xs)

-- nests: grid 1 store, grid 1 store, grid 1 store, grid 1 store
-- input [1i64,2i64,3i64] 7i64
entry beside_results [n] (xs: [n]i64) (k: i64) : (i64, [n]i64) = let ys = map (* k) xs in (reduce (\a b -> (a * b) % k) 1 ys, ys)

-- nests: grid 1 store, grid 1 reduce, grid 1 store, grid 1 store, grid 1 store, grid 1 reduce
-- input [1i64,2i64,3i64] [4i64,5i64,6i64] 1i64
entry one_of_three_in_chunks [n] (xs: [n]i64) (ys: [n]i64) (k: i64) : (i64, i64, i64) = let zs = map2 (\x y -> x * y + 1) xs ys in (i64.sum zs, reduce (\a b -> a * b + a * k + b * k) 0 zs, i64.maximum zs)

-- nests: grid 1 reduce reduce reduce
-- input [1i64,2i64,3i64] [4i64,5i64,6i64]
entry one_of_three_does_not_commute [n] (xs: [n]i64) (ys: [n]i64) : (i64, i64, i64) = let zs = map2 (\x y -> x * y + 1) xs ys in (i64.sum zs, reduce (\a b -> a * b + a + b) 0 zs, i64.maximum zs)

-- nests: grid 1 store store store, grid 1 reduce
-- input [1i64,2i64,3i64,5i64,8i64,13i64]
entry of_pairs_beside_results [n] (xs: [n]i64) : (f64, bool, [n]f64) =
  let ys = map (\x -> f64.i64 x / 2) xs
  let (a, b) = reduce (\(a,b) (c,d) -> (if d then c else a + c, b || d)) (0, false) (zip (map (+ 1) ys) (map (\x -> x % 2 == 0) xs)) in (a, b, ys)

-- nests: grid 2 reduce
-- input [[1.0,2.0],[3.0,5.0],[4.0,2.0]]
entry of_columns [n][m] (xs: [n][m]f64) = reduce (map2 (*)) (replicate m 1) xs

-- nests: grid 1 store, grid 1 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0],[4.0,2.0]] [1.0,1.0]
entry of_rows_by_an_unknown_neutral_element [n][m] (xs: [n][m]f64) (ne: [m]f64) = reduce (map2 (*)) ne xs

-- nests: grid 2 reduce, grid 2 reduce
-- input [[1.0,2.0],[3.0,5.0],[4.0,2.0]]
entry of_pairs_of_rows [n][m] (xs: [n][m]f64) =
  reduce (\(a,b) (c,d) -> (map2 (+) a c, map2 (*) b d)) (replicate m 0, replicate m 1) (zip xs xs)

-- nests: grid 1 store store, grid 1 store store, grid 1 store store
-- input [[1.0,2.0],[3.0,5.0],[4.0,2.0]]
entry of_pairs_of_rows_together [n][m] (xs: [n][m]f64) =
  reduce (\(a,b) (c,d) -> (map2 (*) a c, map3 (\x y z -> x * y + z) b c d)) (replicate m 1, replicate m 0) (zip xs xs)

-- nests: grid 3 reduce
-- input [[[1.0,2.0],[3.0,5.0],[4.0,2.0]],[[1.0,2.0],[3.0,5.0],[4.0,2.0]]]
entry of_matrices [n][m][l] (xs: [n][m][l]f64) = reduce (map2 (map2 (+))) (replicate m (replicate l 0)) xs

-- nests: grid 1 reduce
-- input [1i64,2i64,3i64]
entry of_pairs_of_results [n] (xs: [n]i64) : (i64, i64, [n]i64) =
  let ys = map (\x -> (x * 2, x + 1, x)) xs let (a, b, c) =
  unzip3 ys let (p, q) =
  reduce_comm (\(a, b) (c, d) -> (i64.max a c, if a > c || (a == c && b > d) then b else d)) (0, 0) (zip a b) in (p, q, c)

-- What it begins with joins in once, neutral or not.
-- nests: grid 1 store, grid 1 store, grid 1 store
-- input [1i64,2i64,3i64] 101i64
-- input empty([0]i64) 101i64
entry from_three [n] (xs: [n]i64) (k: i64) : i64 = reduce (\a b -> (a * b) % k) 3 xs
