-- Sums whose operands few points differ in: a block computes a tile of them where that pays.

-- | Of another order of loops: each element by itself.
def product_at [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) (i: i64) (j: i64) : f64 =
  loop s = 0 for l < k do s + xss[i, l] * yss[l, j]

def product [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : [n][m]f64 =
  map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- ==
-- entry: products
-- random input { [32][9]f64 [9][2050]f64 } output { true }
entry products [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : bool =
  let zss = product xss yss
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (product_at xss yss (n - 1 - i) j))))

-- Operands that are columns of their matrices, a column of every other row, and columns of a matrix of several.
-- ==
-- entry: columns
-- random input { [32][9]f64 [9][2050]f64 } output { true }
-- random input { [70][31]f64 [31][66]f64 } output { true }
entry columns [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : bool =
  let zss = #[tile] tabulate_2d n m (\i j -> f64.sum (map2 (*) xss[i, :] yss[:, j]))
  let from_columns = #[tile] tabulate_2d m n (\j i -> f64.sum (map2 (*) yss[:, j] (transpose xss)[:, i]))
  let half = k / 2
  let apart = #[tile] tabulate_2d n m (\i j -> f64.sum (map2 (*) (xss[i, ::2] :> [k - half]f64) (yss[::2, j] :> [k - half]f64)))
  let expected_apart i j = loop s = 0 for l < k - half do s + xss[i, 2 * l] * yss[2 * l, j]
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (product_at xss yss (n - 1 - i) j)
                                         && near from_columns[j, i] (product_at xss yss i j)
                                         && near apart[n - 1 - i, j] (expected_apart (n - 1 - i) j))))

-- ==
-- entry: distances
-- random input { [33][33][9]f32 [33][35][9]f32 } output { true }
entry distances [b] [n] [m] [k] (xsss: [b][n][k]f32) (ysss: [b][m][k]f32) : bool =
  let zss = map2 (\xss yss -> map (\xs -> map (\ys -> f32.sqrt (f32.sum (map2 (\x y -> (x - y) * (x - y)) xs ys))) yss) xss) xsss ysss
  let expected c i j = f32.sqrt (loop s = 0 for l < k do let d = xsss[c, i, l] - ysss[c, j, l] in s + d * d)
  in and (flatten (flatten (tabulate_3d b n m (\c i j -> f32.abs (zss[c, n - 1 - i, j] - expected c (n - 1 - i) j) < 1e-3))))

-- With as many matrices that there are tiles of the first gradient, or of the second.
-- ==
-- entry: gradients
-- random input { [33][32][33]f64 [33][33][9]f64 } output { true }
-- random input { [33][20][32]f64 [33][32][34]f64 } output { true }
entry gradients [b] [n] [m] [k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) : bool =
  let (xsss', ysss') = vjp (\(xsss, ysss) -> map2 product xsss ysss) (xsss, ysss) (map2 product xsss ysss)
  let zsss = map2 product xsss ysss
  in and (flatten (flatten (tabulate_3d b n k (\c i l -> near xsss'[c, n - 1 - i, l] (loop s = 0 for j < m do s + zsss[c, n - 1 - i, j] * ysss[c, l, j])))))
     && and (flatten (flatten (tabulate_3d b k m (\c l j -> near ysss'[c, k - 1 - l, j] (loop s = 0 for i < n do s + xsss[c, i, k - 1 - l] * zsss[c, i, j])))))

-- Points that are rows, and fold what comes of their columns: a winner, with ties; 2,100 rows are 33 blocks.
-- ==
-- entry: nearest
-- random input { [2100][9]i16 [67][9]i16 } output { true }
-- random input { [70][9]i16 [67][9]i16 } output { true }
entry nearest [n] [m] [d] (xss: [n][d]i16) (yss: [m][d]i16) : bool =
    let distance i j = loop s = 0 for l < d do let d = f32.i16 (xss[i, l] >> 13) - f32.i16 (yss[j, l] >> 13) in s + d * d
  let argmin ds = reduce_comm (\(a, i) (b, j) -> if b < a || (a == b && j < i) then (b, j) else (a, i)) (f32.inf, i64.highest) (zip ds (indices ds))
  let found =
    map (\xs -> let (d, j) = argmin (map (\ys -> f32.sum (map2 (\x y -> let d = f32.i16 (x >> 13) - f32.i16 (y >> 13) in d * d) xs ys)) yss) in (d, j)) xss
  in and (tabulate n (\i ->
       let (d, j) = found[n - 1 - i]
       let (expected, at) = loop (e, at) = (f32.inf, -1) for k < m do let d = distance (n - 1 - i) k in if d < e then (d, k) else (e, at)
       in d == expected && j == at))

-- With a matrix for each result of a row, and a row that points would make for themselves.
-- ==
-- entry: norms
-- random input { [401][35]f64 [5][35]f64 [5][66][35]f64 } output { true }
-- random input { [3][35]f64 [5][35]f64 [5][66][35]f64 } output { true }
-- random input { [401][0]f64 [5][0]f64 [5][66][0]f64 } output { true }
-- random input { [401][35]f64 [5][35]f64 [5][0][35]f64 } output { true }
entry norms [n] [k] [m] [d] (xss: [n][d]f64) (means: [k][d]f64) (qs: [k][m][d]f64) : bool =
  let ys = map (\x -> map2 (\mean q -> let z = map2 (-) x mean in 1 + f64.sum (map (\row -> let y = f64.sum (map2 (*) row z) in y * y) q)) means qs) xss
  let expected i j =
    1 + (loop s = 0 for l < m do let y = (loop y = 0 for t < d do y + qs[j, l, t] * (xss[i, t] - means[j, t])) in s + y * y)
  in and (flatten (tabulate_2d n k (\i j -> f64.abs (ys[n - 1 - i, j] - expected (n - 1 - i) j) < 1e-9 * expected (n - 1 - i) j)))

-- What rows have beside the operands, two folds at once, and a choice by the column.
-- ==
-- entry: folds
-- random input { [2049]f64 [2049][8]f64 [65][8]f64 } output { true }
entry folds [n] [m] [d] (firsts: [n]f64) (xss: [n][d]f64) (yss: [m][d]f64) : bool =
  let (as, bs) = unzip (map2 (\first x ->
    let zs = map (\y -> f64.sum (map2 (*) x y)) yss
    in (f64.maximum zs, f64.sum (map2 (\j z -> if j % 2 == 0 then z * first else first) (iota m) zs))) firsts xss)
  let expected i =
    loop (a, b) = (-f64.inf, 0) for j < m do
      let z = loop s = 0 for l < d do s + xss[i, l] * yss[j, l]
      in (f64.max a z, b + (if j % 2 == 0 then z * firsts[i] else firsts[i]))
  in and (tabulate n (\i -> let (a, b) = expected (n - 1 - i) in f64.abs (a - as[n - 1 - i]) < 1e-9 && f64.abs (b - bs[n - 1 - i]) < 1e-9))

-- Few sums of many summands: blocks add up slabs of them. The last slab is smaller; 255 summands are one slab.
-- ==
-- entry: long_sums
-- random input { [33][1001]f64 [40][1001]f64 } output { true }
-- random input { [33][255]f64 [40][255]f64 } output { true }
-- random input { [33][0]f64 [40][0]f64 } output { true }
entry long_sums [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let zss = map (\xs -> map (\ys -> 1 + f64.sum (map2 (*) xs ys)) yss) xss
  let expected i j = 1 + (loop s = 0 for l < k do s + xss[i, l] * yss[j, l])
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (expected (n - 1 - i) j))))

-- Of several matrices, in the middle dimension, with two sums of each point.
-- ==
-- entry: long_sums_of_matrices
-- random input { [35][3][300]f32 [36][3][300]f32 } output { true }
entry long_sums_of_matrices [b] [n] [m] [k] (xsss: [n][b][k]f32) (ysss: [m][b][k]f32) : bool =
  let (as, bs) = unzip (flatten (flatten (tabulate_3d n b m (\i l j -> (f32.sum (map2 (*) xsss[i, l] ysss[j, l]), f32.maximum (map2 (-) xsss[i, l] ysss[j, l]))))))
  let expected i l j = loop (s, t) = (0, -f32.inf) for e < k do (s + xsss[i, l, e] * ysss[j, l, e], f32.max t (xsss[i, l, e] - ysss[j, l, e]))
  in and (flatten (flatten (tabulate_3d n b m (\i l j ->
       let at = (n - 1 - i) * (b * m) + l * m + j
       let (s, t) = expected (n - 1 - i) l j
       in f32.abs (as[at] - s) < 1e-3 * f32.i64 k && bs[at] == t))))

-- Operands that are computed of the row's, the column's and the summand's number.
-- ==
-- entry: bands
-- random input { [100][9]f64 [9][1000]f64 } output { true }
-- random input { [1030][9]f64 [9][70]f64 } output { true }
entry bands [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : bool =
  let (js, ls) = (iota m, iota k)
  let zss = map2 (\xs i -> map2 (\ys j -> f64.sum (map3 (\x y l -> f64.max (x * y) (f64.i64 (i - j + 3 * l))) xs ys ls)) (transpose yss) js) xss (iota n)
  let expected i j = loop s = 0 for l < k do let x = xss[i, l] * yss[l, j] in s + if x > f64.i64 (i + 3 * l - j) then x else f64.i64 (i + 3 * l - j)
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (expected (n - 1 - i) j))))

-- What is added depends on the number of the summand itself.
-- ==
-- entry: numbered
-- random input { [70][9]i64 [67][9]i64 } output { true }
entry numbered [n] [m] [k] (xss: [n][k]i64) (yss: [m][k]i64) : bool =
  let zss = #[tile] map (\xs -> map (\ys -> i64.sum (map3 (\x y l -> (x * y) ^ l) xs ys (iota k))) yss) xss
  let expected i j = loop s = 0 for l < k do s + ((xss[i, l] * yss[j, l]) ^ l)
  in and (flatten (tabulate_2d n m (\i j -> zss[n - 1 - i, j] == expected (n - 1 - i) j)))

-- | The first of the columns that tie, by products on tensor cores, where a thread gets to its columns in another order.
-- ==
-- entry: winners_of_products
-- random input { [70][9]i16 [40][9]i16 [40]i16 } output { true }
-- random input { [1990][9]i16 [40][9]i16 [40]i16 } output { true }
entry winners_of_products [n] [m] [d] (xss: [n][d]i16) (yss: [m][d]i16) (zs: [m]i16) : bool =
  let cost cs = map (\xs -> f64.minimum (map2 (\ys c -> c + f64.sum (map2 (\x y -> f64.i16 (x >> 14) * f64.i16 (y >> 14)) xs ys)) yss cs)) xss
  let wins = vjp cost (map (\z -> f64.i16 (z >> 15)) zs) (replicate n 1)
  let expected =
    loop w = replicate m 0 for i < n do
      let (_, at) =
        loop (e, at) = (f64.inf, -1) for k < m do
          let z = loop s = f64.i16 (zs[k] >> 15) for l < d do s + f64.i16 (xss[i, l] >> 14) * f64.i16 (yss[k, l] >> 14)
          in if z < e then (z, k) else (e, at)
      in w with [at] = w[at] + 1
  in and (map2 (==) wins expected)

-- | An operator of two values that keeps the left ones if they are smaller.
-- ==
-- entry: least_by_products
-- random input { [70][9]f64 [40][9]f64 } output { true }
-- random input { [1990][9]f64 [40][9]f64 } output { true }
entry least_by_products [n] [m] [d] (xss: [n][d]f64) (yss: [m][d]f64) : bool =
  let op (v: f64, i: i64) (w: f64, j: i64) = if v < w then (v, i) else (w, j)
  let (vs, ks) = unzip (map (\xs -> reduce_comm op (f64.inf, -1) (zip (map (\ys -> f64.sum (map2 (*) xs ys)) yss) (iota m))) xss)
  let product i k = loop s = 0 for l < d do s + xss[i, l] * yss[k, l]
  let is_least i = near vs[i] (product i ks[i]) && (loop all = true for c < m do all && vs[i] <= product i c + 1e-9)
  in and (tabulate n (\i -> is_least (n - 1 - i)))

-- | An operator that depends on the row.
-- ==
-- entry: remainders
-- input { [[1i64, 20i64, 3i64], [40i64, 5i64, 60i64]] [[7i64, 8i64, 9i64], [11i64, 1i64, 13i64]] [4i64, 9i64] } output { [[4i64, 0i64], [1i64, 0i64]] }
entry remainders [n] [m] [d] (xss: [n][d]i64) (yss: [m][d]i64) (ks: [n]i64) : [n][m]i64 =
  map2 (\xs k -> map (\ys -> reduce_comm (\a b -> (a + b) % (1 + k % 8)) 0 (map2 (^) xs ys)) yss) xss ks

-- | An operator that depends on the column, and arrays called as the operands of the prelude's operators.
-- ==
-- entry: remainders_of_columns
-- input { [[1i64, 20i64, 3i64], [40i64, 5i64, 60i64]] [[7i64, 8i64, 9i64], [11i64, 1i64, 13i64]] [4i64, 9i64] } output { [5i64, 3i64] }
entry remainders_of_columns [n] [m] [d] (xss: [n][d]i64) (yss: [m][d]i64) (ks: [m]i64) : [n]i64 =
  map (\xs -> i64.sum (map2 (\ys k -> reduce_comm (\a b -> (a + b) % (1 + k % 8)) 0 (map2 (^) xs ys)) yss ks)) xss

-- ==
-- entry: squares
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1.0, 2.0] } output { [49.0, 49.0] }
entry squares [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (x: [m]f64) : [n]f64 =
  map (\z -> let y = f64.sum (map2 (\row xt -> xt * f64.sum (map2 (*) row z)) c x) in y * y) zs

def argmin (a: (i64, i64, i64, i64)) (b: (i64, i64, i64, i64)) : (i64, i64, i64, i64) =
  let (d, i, f, j) = a
  let (e, k, g, l) = b
  let (p, q) = if e < d || (e == d && k < i) then (e, k) else (d, i)
  let (r, s) = if g > f || (g == f && l < j) then (g, l) else (f, j)
  in (p, q, r, s)

-- | Five operands of eight bytes, and a fold of four: as many summands at a time as fit into shared memory.
-- ==
-- entry: least_and_largest
-- random input { [2100][11]i64 [2100][11]i64 [70][11]i64 [70][11]i64 } auto output
entry least_and_largest [n] [m] [k] (xs: [n][k]i64) (ys: [n][k]i64) (as: [m][k]i64) (bs: [m][k]i64) : [n](i64, i64, i64, i64) =
  map2 (\x y ->
         let sums = map2 (\a b -> i64.sum (map5 (\x y a b t -> x * a + y * b * t) x y a b (iota k))) as bs
         in reduce_comm argmin (i64.highest, i64.highest, i64.lowest, i64.highest) (zip4 sums (indices sums) sums (indices sums)))
       xs ys
