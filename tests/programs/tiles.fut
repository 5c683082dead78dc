-- Sums whose operands few points differ in: a block computes a tile of them where that pays.

-- | Of another order of loops: each element by itself.
def product_at [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) (i: i64) (j: i64) : f64 =
  loop s = 0 for l < k do s + xss[i, l] * yss[l, j]

def product [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : [n][m]f64 =
  map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- ==
-- entry: products
-- random input { [32][9]f64 [9][16330]f64 } output { true }
entry products [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : bool =
  let zss = product xss yss
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (product_at xss yss (n - 1 - i) j))))

-- ==
-- entry: distances
-- random input { [256][33][9]f32 [256][35][9]f32 } output { true }
entry distances [b] [n] [m] [k] (xsss: [b][n][k]f32) (ysss: [b][m][k]f32) : bool =
  let zss = map2 (\xss yss -> map (\xs -> map (\ys -> f32.sqrt (f32.sum (map2 (\x y -> (x - y) * (x - y)) xs ys))) yss) xss) xsss ysss
  let expected c i j = f32.sqrt (loop s = 0 for l < k do let d = xsss[c, i, l] - ysss[c, j, l] in s + d * d)
  in and (flatten (flatten (tabulate_3d b n m (\c i j -> f32.abs (zss[c, n - 1 - i, j] - expected c (n - 1 - i) j) < 1e-3))))

-- With as many matrices that there are tiles of the first gradient, or of the second.
-- ==
-- entry: gradients
-- random input { [256][32][33]f64 [256][33][9]f64 } output { true }
-- random input { [256][20][32]f64 [256][32][34]f64 } output { true }
entry gradients [b] [n] [m] [k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) : bool =
  let (xsss', ysss') = vjp (\(xsss, ysss) -> map2 product xsss ysss) (xsss, ysss) (map2 product xsss ysss)
  let zsss = map2 product xsss ysss
  in and (flatten (flatten (tabulate_3d b n k (\c i l -> near xsss'[c, n - 1 - i, l] (loop s = 0 for j < m do s + zsss[c, n - 1 - i, j] * ysss[c, l, j])))))
     && and (flatten (flatten (tabulate_3d b k m (\c l j -> near ysss'[c, k - 1 - l, j] (loop s = 0 for i < n do s + xsss[c, i, k - 1 - l] * zsss[c, i, j])))))
