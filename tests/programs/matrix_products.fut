-- Products of matrices of f64, which warps compute on tensor cores, and sums that are nearly such products.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- | All results of rows and columns, and of another order of loops.
def agree [n] [m] [k] (zss: [n][m]f64) (xss: [n][k]f64) (yss: [m][k]f64) (f: f64 -> f64 -> f64) : bool =
  let expected i j = loop s = 0 for l < k do s + f xss[i, l] yss[j, l]
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (expected (n - 1 - i) j))))

def sums [n] [m] [k] (f: f64 -> f64 -> f64) (xss: [n][k]f64) (yss: [m][k]f64) : [n][m]f64 =
  map (\xs -> map (\ys -> f64.sum (map2 f xs ys)) yss) xss

-- Summands by fours and eights, and some that are left over; rows and columns by 64, likewise.
-- ==
-- entry: products
-- random input { [67][8]f64 [129][8]f64 } output { true }
-- random input { [67][9]f64 [129][9]f64 } output { true }
-- random input { [130][15]f64 [160][15]f64 } output { true }
-- random input { [130][20]f64 [160][20]f64 } output { true }
-- random input { [3][20]f64 [2][20]f64 } output { true }
-- random input { [130][0]f64 [160][0]f64 } output { true }
entry products [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  agree (#[tile] sums (*) xss yss) xss yss (*)

-- The column's factor first, and both computed where they are read.
-- ==
-- entry: computed_factors
-- random input { [67][11]f64 [70][11]f64 [70]f64 } output { true }
entry computed_factors [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) (weights: [m]f64) : bool =
  let zss = #[tile] map (\xs -> map2 (\ys w -> f64.sum (map2 (\x y -> (w * y) * (x - 0.5)) xs ys)) yss weights) xss
  let expected i j = loop s = 0 for l < k do s + weights[j] * yss[j, l] * (xss[i, l] - 0.5)
  in and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (expected (n - 1 - i) j))))

-- Behind the last summand neither factor may be anything but zero: it is infinite here, or makes a result that is.
-- ==
-- entry: infinite
-- random input { [67][13]f64 [70][13]f64 } output { true }
entry infinite [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let last ass = map (\as -> tabulate k (\l -> if l == k - 1 then f64.inf else as[l] + 1)) ass
  let by_rows = #[tile] map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (map (map (+ 1)) yss)) (last xss)
  let by_columns = #[tile] map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (last yss)) (map (map (+ 1)) xss)
  in and (flatten (tabulate_2d n m (\i j -> by_rows[n - 1 - i, j] == f64.inf && by_columns[n - 1 - i, j] == f64.inf)))

-- Other summands than products, products of three, and products that something else folds.
-- ==
-- entry: others
-- random input { [67][11]f64 [70][11]f64 } output { true }
entry others [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let largest = #[tile] map (\xs -> map (\ys -> f64.maximum (map2 (*) xs ys)) yss) xss
  let expected i j = loop s = f64.lowest for l < k do f64.max s (xss[i, l] * yss[j, l])
  in agree (#[tile] sums (-) xss yss) xss yss (-)
     && agree (#[tile] sums (+) xss yss) xss yss (+)
     && agree (#[tile] sums (\x y -> x * y + 0.25) xss yss) xss yss (\x y -> x * y + 0.25)
     && agree (#[tile] sums (\x y -> f64.abs (x * y - 0.25)) xss yss) xss yss (\x y -> f64.abs (x * y - 0.25))
     && agree (#[tile] sums (\x y -> x * y * y) xss yss) xss yss (\x y -> x * y * y)
     && and (flatten (tabulate_2d n m (\i j -> near largest[n - 1 - i, j] (expected (n - 1 - i) j))))

-- Two sums at once are added by threads, not by warps.
-- ==
-- entry: both
-- random input { [67][11]f64 [70][11]f64 } output { true }
entry both [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let add (a, b) (c, d) = (a + c, b + d)
  let zss = #[tile] map (\xs -> map (\ys -> reduce_comm add (0, 0) (map2 (\x y -> (x * y, x + y)) xs ys)) yss) xss
  in agree (map (map (.0)) zss) xss yss (*) && agree (map (map (.1)) zss) xss yss (+)

-- Rows that fold what comes of their columns, whose threads are four of a warp.
-- ==
-- entry: folded
-- random input { [70][11]f64 [130][11]f64 } output { true }
entry folded [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let zs = #[tile] map (\xs -> f64.maximum (map (\ys -> f64.sum (map2 (*) xs ys)) yss)) xss
  let sum i j = loop s = 0 for l < k do s + xss[i, l] * yss[j, l]
  let expected i = loop best = f64.lowest for j < m do f64.max best (sum i j)
  in and (tabulate n (\i -> near zs[n - 1 - i] (expected (n - 1 - i))))

-- Both adjoints are products, one of them of few results and many summands.
-- ==
-- entry: gradients
-- random input { [700][66]f64 [70][66]f64 [700][70]f64 } output { true }
entry gradients [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) (seed: [n][m]f64) : bool =
  let (xss', yss') = vjp (\(xss, yss) -> sums (*) xss yss) (xss, yss) seed
  let of_x i l = loop s = 0 for j < m do s + seed[i, j] * yss[j, l]
  let of_y j l = loop s = 0 for i < n do s + seed[i, j] * xss[i, l]
  let agree_x = and (map and (tabulate_2d n k (\i l -> near xss'[n - 1 - i, l] (of_x (n - 1 - i) l))))
  let agree_y = and (map and (tabulate_2d m k (\j l -> f64.abs (yss'[m - 1 - j, l] - of_y (m - 1 - j) l) < 1e-6)))
  in agree_x && agree_y
