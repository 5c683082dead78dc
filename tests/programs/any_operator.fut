-- Scans and histograms by operators that neither a library call nor an atomic takes: on matrices, on rows, on pairs that belong
-- together, with variables of the program.

-- ==
-- entry: products
-- input { [[[1i32, 1i32], [0i32, 1i32]], [[1i32, 0i32], [2i32, 1i32]], [[0i32, 1i32], [1i32, 0i32]]] }
-- output { [[[1i32, 1i32], [0i32, 1i32]], [[3i32, 1i32], [2i32, 1i32]], [[1i32, 3i32], [1i32, 2i32]]] }
entry products [n] (ms: [n][2][2]i32) : [n][2][2]i32 =
  let mul a b = map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
  in scan mul [[1, 0], [0, 1]] ms

-- The k smallest so far, in order; an operator on rows that is a loop.
def merge [k] (xs: [k]i64) (ys: [k]i64) : [k]i64 =
  (loop (zs, i, j) = (replicate k 0, 0, 0) for l < k do
     if xs[i] <= ys[j] then (zs with [l] = xs[i], i + 1, j) else (zs with [l] = ys[j], i, j + 1)).0

-- ==
-- entry: smallest
-- input { 2i64 [5i64, 3i64, 9i64, 1i64] } output { [[5i64, 99i64], [3i64, 5i64], [3i64, 5i64], [1i64, 3i64]] }
entry smallest [n] (k: i64) (xs: [n]i64) : [n][k]i64 =
  scan merge (replicate k 99) (map (\x -> tabulate k (\i -> if i == 0 then i64.min x 99 else 99)) xs)

-- ==
-- entry: smallest_of_bins
-- input { 2i64 [0i64, 1i64, 0i64, 7i64, 0i64] [5i64, 3i64, 9i64, 1i64, 6i64] } output { [[5i64, 6i64], [3i64, 99i64]] }
entry smallest_of_bins [n] (k: i64) (is: [n]i64) (xs: [n]i64) : [2][k]i64 =
  reduce_by_index (replicate 2 (replicate k 99)) merge (replicate k 99) is
                  (map (\x -> tabulate k (\i -> if i == 0 then i64.min x 99 else 99)) xs)

-- The largest of each bin, and the last place where it stands.
-- ==
-- entry: largest
-- input { 4i64 [3i64, 1i64, 3i64, 0i64, -1i64, 7i64, 1i64] [5i32, 2i32, 9i32, 1i32, 100i32, 100i32, 3i32] }
-- output { [1i32, 3i32, 0i32, 9i32] [3i64, 6i64, -1i64, 2i64] }
-- input { 2i64 empty([0]i64) empty([0]i32) } output { [0i32, 0i32] [-1i64, -1i64] }
entry largest [n] (k: i64) (is: [n]i64) (xs: [n]i32) : ([k]i32, [k]i64) =
  let later (x, i) (y, j): (i32, i64) = if x > y then (x, i) else if y > x then (y, j) else (x, i64.max i j)
  in unzip (reduce_by_index (replicate k (0, -1)) later (i32.lowest, -1) is (zip xs (iota n)))

-- ==
-- entry: largest_of_pairs_of_bins
-- input { 2i64 [0i64, 1i64, 1i64, 5i64] [1i64, 0i64, 0i64, 0i64] [5i32, 2i32, 9i32, 1i32] }
-- output { [[0i32, 5i32], [9i32, 0i32]] [[-1i64, 0i64], [2i64, -1i64]] }
entry largest_of_pairs_of_bins [n] (k: i64) (is: [n]i64) (js: [n]i64) (xs: [n]i32) : ([2][k]i32, [2][k]i64) =
  let later (x, i) (y, j): (i32, i64) = if x > y then (x, i) else if y > x then (y, j) else (x, i64.max i j)
  in unzip (map unzip (reduce_by_index_2d (replicate 2 (replicate k (0, -1))) later (i32.lowest, -1) (zip is js) (zip xs (iota n))))

-- ==
-- entry: sums_modulo
-- input { 7i64 [0i64, 1i64, 0i64] [5i64, 3i64, 9i64] } output { [0i64, 3i64] [5i64, 1i64, 3i64] }
entry sums_modulo [n] (p: i64) (is: [n]i64) (xs: [n]i64) : ([2]i64, [n]i64) =
  let m = i64.max 1 p
  let ys = map (% m) xs
  let plus a b = (a + b) % m
  in (reduce_by_index [0, 0] plus 0 is ys, scan plus 0 ys)

-- ==
-- entry: products_vjp
-- input { [[[1.0, 0.5], [0.0, 1.0]], [[1.0, 0.0], [2.0, 1.0]]] } output { [[[2.0, 4.0], [2.0, 4.0]], [[1.0, 1.0], [1.5, 1.5]]] }
entry products_vjp [n] (ms: [n][2][2]f64) : [n][2][2]f64 =
  let mul a b = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  in vjp (\ms -> f64.sum (flatten_3d (scan mul [[1, 0], [0, 1]] ms))) ms 1
