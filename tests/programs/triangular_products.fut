-- Products with matrices that are zero on one side of the diagonal: tiles leave zeros out.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

def lower [m] [k] (yss: [m][k]f64) : [m][k]f64 = tabulate_2d m k (\j l -> if j < l then 0 else yss[j, l] + f64.i64 (j / 7))
def upper [m] [k] (yss: [m][k]f64) : [m][k]f64 = tabulate_2d m k (\j l -> if l < j then 0 else yss[j, l] + f64.i64 (l / 7))

def product [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : [n][m]f64 = map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) yss) xss

def expected [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) (i: i64) (j: i64) : f64 = loop s = 0 for l < k do s + xss[i, l] * yss[j, l]

-- | Of another order of loops, and from the end.
def agree [n] [m] [k] (zss: [n][m]f64) (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  and (flatten (tabulate_2d n m (\i j -> near zss[n - 1 - i, j] (expected xss yss (n - 1 - i) j))))

-- Columns' summands end at the diagonal, or begin there; matrices have more rows than columns, or fewer, or end within a tile.
-- ==
-- entry: of_columns
-- random input { [67][70]f64 [70][70]f64 } output { true }
-- random input { [67][129]f64 [129][129]f64 } output { true }
-- random input { [67][40]f64 [130][40]f64 } output { true }
-- random input { [67][130]f64 [40][130]f64 } output { true }
-- random input { [67][5]f64 [130][5]f64 } output { true }
-- random input { [67][0]f64 [130][0]f64 } output { true }
entry of_columns [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let (low, high) = (lower yss, upper yss)
  in agree (#[tile] product xss low) xss low && agree (#[tile] product xss high) xss high

-- ==
-- entry: of_rows
-- random input { [129][129]f64 [67][129]f64 } output { true }
-- random input { [40][130]f64 [67][130]f64 } output { true }
-- random input { [130][40]f64 [67][40]f64 } output { true }
entry of_rows [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : bool =
  let (low, high) = (lower xss, upper xss)
  in agree (#[tile] product low yss) low yss && agree (#[tile] product high yss) high yss

-- Of f32, by threads.
-- ==
-- entry: of_threads
-- random input { [67][129]f32 [129][129]f32 } output { true }
-- random input { [67][130]f32 [40][130]f32 } output { true }
-- random input { [67][40]f32 [130][40]f32 } output { true }
entry of_threads [n] [m] [k] (xss: [n][k]f32) (yss: [m][k]f32) : bool =
  let low = tabulate_2d m k (\j l -> if j < l then 0 else yss[j, l])
  let high = tabulate_2d m k (\j l -> if l < j then 0 else yss[j, l])
  let products qss = #[tile] map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) qss) xss
  let sum qss i j = loop s = 0 for l < k do s + xss[i, l] * qss[j, l]
  let agree (zss: [n][m]f32) (qss: [m][k]f32) =
    and (flatten (tabulate_2d n m (\i j -> f32.abs (zss[n - 1 - i, j] - sum qss (n - 1 - i) j) < 1e-3)))
  in agree (products low) low && agree (products high) high

-- Norms of products, whose columns are folded, for each of several matrices.
-- ==
-- entry: folded
-- random input { [70][70]f64 [3][70][70]f64 } output { true }
-- random input { [70][130]f64 [2][130][130]f64 } output { true }
entry folded [n] [b] [d] (xss: [n][d]f64) (qsss: [b][d][d]f64) : bool =
  let triangles = map lower qsss
  let norms = #[tile] map (\xs -> map (\qss -> f64.sum (map (\qs -> let y = f64.sum (map2 (*) xs qs) in y * y) qss)) triangles) xss
  let norm i c = loop s = 0 for j < d do let y = loop y = 0 for l < d do y + xss[i, l] * triangles[c, j, l] in s + y * y
  in and (flatten (tabulate_2d n b (\i c -> f64.abs (norms[n - 1 - i, c] - norm (n - 1 - i) c) < 1e-9 * norm (n - 1 - i) c)))

-- Both adjoints of a product with a triangular matrix.
-- ==
-- entry: gradients
-- random input { [300][70]f64 [70][70]f64 [300][70]f64 } output { true }
entry gradients [n] [d] (xss: [n][d]f64) (qss: [d][d]f64) (seed: [n][d]f64) : bool =
  let (xss', qss') = vjp (\(xss, qss) -> product xss (lower qss)) (xss, qss) seed
  let triangle = lower qss
  let of_x i l = loop s = 0 for j < d do s + seed[i, j] * triangle[j, l]
  let of_q j l = if j < l then 0 else loop s = 0 for i < n do s + seed[i, j] * xss[i, l]
  let agree_x = and (map and (tabulate_2d n d (\i l -> near xss'[n - 1 - i, l] (of_x (n - 1 - i) l))))
  let agree_q = and (map and (tabulate_2d d d (\j l -> f64.abs (qss'[d - 1 - j, l] - of_q (d - 1 - j) l) < 1e-6)))
  in agree_x && agree_q
