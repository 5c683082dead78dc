-- Points whose sums a CPU computes several at a time, and what may stand between these sums.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- | A sum for each point, its rows being read as they are.
entry products [n] [d] (q: [d]f64) (xs: [n][d]f64) : [n]f64 = map (dot q) xs

-- | Branches that all points take, and others.
entry branches [n] [d] (negative: bool) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x ->
         let total = dot q x
         let shifted = if negative then total - f64.sum x else total
         in if shifted > 0 then f64.sqrt shifted else dot x x)
      xs

-- | The nearest of some centres, by a temporary row; the winner's number and its distance.
entry nearest [n] [k] [d] (centres: [k][d]f64) (xs: [n][d]f64) : [n](i64, f64) =
  map (\x ->
         let distances = map (\c -> let z = map2 (-) x c in dot z z) centres
         let better (i, a) (j, b) = if a < b || (a == b && i < j) then (i, a) else (j, b)
         in reduce better (k, f64.inf) (zip (indices distances) distances))
      xs

-- | Sums over all points of what is computed with sums: the order of additions is kept.
entry total [n] [d] (q: [d][d]f64) (xs: [n][d]f64) : f64 =
  f64.sum (map (\x -> f64.sum (map (\row -> let y = dot row x in y * y) q)) xs)

-- | An operator that does not commute.
entry composed [n] [d] (q: [d]f64) (xs: [n][d]f64) : (f64, f64) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (dot q x / f64.i64 (d + 1), f64.sum x)) xs)

-- | Derivatives: what all points add to.
entry gradient [n] [k] [d] (means: [k][d]f64) (qs: [k][d][d]f64) (xs: [n][d]f64) : ([k][d]f64, [k][d][d]f64) =
  let density (means: [k][d]f64) (qs: [k][d][d]f64) x =
    let terms = map2 (\mean q -> let z = map2 (-) x mean in f64.sum (map (\row -> f64.cos (dot row z)) q)) means qs
    in f64.log (1 + f64.sum (map (\t -> t * t) terms))
  in vjp (\(means, qs) -> f64.sum (map (density means qs) xs)) (means, qs) 1

-- | Bins of sums, and counts in another type.
entry bins [n] [d] (k: i64) (q: [d]f64) (xs: [n][d]f64) : ([]f64, []i32) =
  let k = i64.max 1 (i64.min k 5)
  let sums = map (dot q) xs
  let is = map (\s -> if s >= 0 then i64.f64 (f64.min s 100) % k else -1) sums
  in (reduce_by_index (replicate k 0) (+) 0 is sums, reduce_by_index (replicate k 0) (+) 0 is (map (\_ -> 1) xs))

-- | Loops whose lengths differ between points stay as they are, and so do those that can fail.
entry lengths [n] [d] (ns: [n]i32) (xs: [n][d]f32) : [n]f32 =
  map2 (\m x -> let y = f32.sum x in loop y for i < m % 7 do y * 0.5 + x[i64.i32 i % i64.max 1 d]) ns xs

-- | Loops of the program around sums, with an array of each point.
entry steps [n] [d] (k: i64) (q: [d][d]f32) (xs: [n][d]f32) : [n][d]f32 =
  map (\x -> loop x for _i < i64.min k 4 do
               let y = map (\row -> f32.sum (map2 (*) row x)) q
               in map2 (\a b -> f32.max (-2) (f32.min 2 (a + 0.25 * b))) x y)
      xs

-- Products of matrices, of which columns lie side by side; and one whose columns are rows of the other.
-- ==
-- entry: matrix_products
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] }
-- output { [[19.0, 22.0], [43.0, 50.0]] [[17.0, 23.0], [39.0, 53.0]] }
-- random input { [3][20]f64 [20][20]f64 }
-- auto output
-- random input { [33][1]f64 [1][1]f64 }
-- auto output
-- random input { [0][4]f64 [4][4]f64 }
-- auto output
-- random input { [4][0]f64 [0][0]f64 }
-- auto output
entry matrix_products [n] [m] (a: [n][m]f64) (b: [m][m]f64) : ([n][m]f64, [n][m]f64) =
  let product a b = map (\row -> map (\column -> dot row column) (transpose b)) a
  in (product a b, map (\row -> map (dot row) b) a)

-- Products into bins of matrices: their adjoints need pointers to parts of arrays that all points share.
-- ==
-- entry: products_of_matrices_vjp
-- input { [0i64, 1i64, 0i64] [[[2.0, 3.0]], [[1.0, 0.5]]] [[[1.0, 2.0]], [[4.0, 0.0]], [[3.0, 5.0]]] }
-- output { [[[3.0, 10.0]], [[4.0, 0.0]]] [[[6.0, 15.0]], [[1.0, 0.5]], [[2.0, 6.0]]] }
entry products_of_matrices_vjp [n] [k] [m] [l] (is: [n]i64) (start: [k][m][l]f64) (xs: [n][m][l]f64) : ([k][m][l]f64, [n][m][l]f64) =
  vjp (\(start, xs) -> reduce_by_index (copy start) (map2 (map2 (*))) (replicate m (replicate l 1)) is xs) (start, xs)
      (replicate k (replicate m (replicate l 1)))
