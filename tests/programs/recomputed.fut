-- Arrays that combine smaller ones, and sums that are only summed up again, are not stored on a GPU.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-6 * (1 + f64.abs y)

-- Differences of all points and all centres: read across rows and across columns.
-- ==
-- entry: differences
-- random input { [70][9]f64 [40][9]f64 } output { true }
-- random input { [3][2]f64 [1][2]f64 } output { true }
-- random input { [0][2]f64 [2][2]f64 } output { true }
entry differences [n] [k] [d] (xss: [n][d]f64) (css: [k][d]f64) : bool =
  let dsss = map (\cs -> map (\xs -> map2 (\x c -> 2 * (x - c)) xs cs) xss) css
  let norms = map (\dss -> map (\ds -> f64.sum (map (\x -> x * x) ds)) dss) dsss
  let moments = map (\dss -> map (\as -> map (\bs -> f64.sum (map2 (*) as bs)) (transpose dss)) (transpose dss)) dsss
  let norm c i = loop s = 0 for j < d do let x = 2 * (xss[i, j] - css[c, j]) in s + x * x
  let moment c a b = loop s = 0 for i < n do s + 4 * (xss[i, a] - css[c, a]) * (xss[i, b] - css[c, b])
  in and (flatten (tabulate_2d k n (\c i -> near norms[k - 1 - c, i] (norm (k - 1 - c) i))))
     && and (flatten (flatten (tabulate_3d k d d (\c a b -> near moments[c, a, d - 1 - b] (moment c a (d - 1 - b))))))

-- Elements of rows that threads fill, step by step in the opposite order, and flags of a filter.
-- ==
-- entry: reversed_steps
-- random input { [70]f64 } output { true }
-- random input { [1]f64 } output { true }
-- random input { [0]f64 } output { true }
entry reversed_steps [n] (zs: [n]f64) : bool =
  let rows = map (\z -> loop row = replicate 4 z for i < 3 do #[unsafe] (row with [i + 1] = row[i] * z)) zs
  let dss = tabulate_2d 4 n (\s i -> #[unsafe] rows[i, 3 - s] * zs[i])
  let sums = map (\ds -> f64.sum (map f64.exp ds)) dss
  let polynomials = map (\ds -> loop y = 0 for s < 4 do y * 0.5 + #[unsafe] ds[s]) (transpose dss)
  let element s i = zs[i] ** f64.i64 (5 - s)
  let total s = loop y = 0 for i < n do y + f64.exp (element s i)
  let large = filter (\z -> z * 2 > 1) zs
  in and (tabulate 4 (\s -> near sums[3 - s] (total (3 - s))))
     && and (tabulate n (\i -> near polynomials[n - 1 - i] (loop y = 0 for s < 4 do y * 0.5 + element s (n - 1 - i))))
     && length large == i64.sum (map (\z -> i64.bool (0.5 < z)) zs) && and (map (> 0.5) large)

-- The gradient of centres is a sum over points of sums over rows of a matrix that all points share.
-- ==
-- entry: sums_of_sums
-- random input { [50][7]f64 [4][7][7]f64 [50]f64 } output { true }
-- random input { [1][3]f64 [2][3][3]f64 [1]f64 } output { true }
-- random input { [0][3]f64 [2][3][3]f64 [0]f64 } output { true }
entry sums_of_sums [n] [k] [d] (xss: [n][d]f64) (qsss: [k][d][d]f64) (ws: [n]f64) : bool =
  let ysss = map (\qss -> map2 (\xs w -> map (\qs -> f64.sum (map2 (\q x -> q * (w * x)) qs xs)) (transpose qss)) xss ws) qsss
  let sums = map (\yss -> map (\ys -> -(f64.sum ys)) (transpose yss)) ysss
  let expected c t = loop s = 0 for i < n do loop s for l < d do s - qsss[c, l, t] * ws[i] * xss[i, l]
  in and (flatten (tabulate_2d k d (\c t -> near sums[k - 1 - c, t] (expected (k - 1 - c) t))))

-- Of factors of which none leaves the sum nothing changes; squares of sums are no product of them.
-- ==
-- entry: sums_that_stay
-- random input { [30][5]f64 [30][5]f64 } output { true }
entry sums_that_stay [n] [d] (xss: [n][d]f64) (yss: [n][d]f64) : bool =
  let zss = map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) yss) xss
  let sums = map (\zs -> f64.sum (map (\z -> z * z) zs)) (transpose zss)
  let expected j = loop s = 0 for i < n do let z = loop z = 0 for l < d do z + xss[i, l] * yss[j, l] in s + z * z
  in and (tabulate n (\j -> near sums[n - 1 - j] (expected (n - 1 - j))))

-- Rows that are computed twice, and updated then.
-- ==
-- entry: updated_rows
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [3.0, 1.0]]] } output { [1.8386691513544602, 1.6019248739207308] }
entry updated_rows [n] [m] [k] (xsss: [n][m][k]f64) : [n]f64 =
  let total xs c at =
    let ys = map (\row -> f64.sum (map (\x -> f64.sqrt (x + f64.i64 c)) row)) xs
    in f64.sum (ys with [at] = f64.i64 c)
  in map (\xs ->
      let most = f64.maximum (map (\c -> total xs c 0) (iota 3))
      in f64.sum (map (\c -> total xs c 1 / most) (iota 3))) xsss
