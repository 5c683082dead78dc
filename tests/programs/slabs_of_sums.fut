-- Adjoints of a few parameters, each a sum over all points that several threads compute, in slabs if there are many points.

def cost [k] [n] [d] (ws: [k][d]f64) (ass: [k][n]f64) (xsss: [k][n][d]f64) : f64 =
  f64.sum (map3 (\w as xss -> f64.sum (map2 (\a xs -> a * a * f64.sum (map2 (\v x -> v * v * x) w xs)) as xss)) ws ass xsss)

def slope [k] [n] [d] (ws: [k][d]f64) (ass: [k][n]f64) (xsss: [k][n][d]f64) (i: i64) (j: i64) : f64 =
  2 * ws[i, j] * loop s = 0 for l < n do s + ass[i, l] * ass[i, l] * xsss[i, l, j]

-- ==
-- entry: parameters
-- random input { [2][3]f64 [2][3000]f64 [2][3000][3]f64 } output { true }
-- random input { [1][1]f64 [1][2049]f64 [1][2049][1]f64 } output { true }
-- random input { [3][40]f64 [3][511]f64 [3][511][40]f64 } output { true }
-- random input { [3][40]f64 [3][7]f64 [3][7][40]f64 } output { true }
-- random input { [2][3]f64 [2][0]f64 [2][0][3]f64 } output { true }
-- random input { [0][3]f64 [0][900]f64 [0][900][3]f64 } output { true }
entry parameters [k] [n] [d] (ws: [k][d]f64) (ass: [k][n]f64) (xsss: [k][n][d]f64) : bool =
  let adjoints = vjp (\ws -> cost ws ass xsss) ws 1
  in and (flatten (tabulate_2d k d (\i j -> f64.abs (adjoints[k - 1 - i, d - 1 - j] - slope ws ass xsss (k - 1 - i) (d - 1 - j)) < 1e-8)))

-- | As many parameters as the program says.
-- ==
-- entry: four_parameters
-- input { [[1.0, 2.0], [0.5, 0.0], [1.0, 1.0], [0.0, 3.0]] [[3.0, 4.0], [2.0, 1.0], [0.0, 0.0], [1.0, 1.0]] [0.0, 0.0, 1.0, 0.0] } output { [11.0, 1.0, 0.0, 3.0] }
entry four_parameters [n] (ws: [4][n]f64) (as: [4][n]f64) (vs: [4]f64) =
  vjp (\vs -> f64.sum (map3 (\w a v -> f64.sum (map2 (\w a -> f64.sin (w * v) * a) w a)) ws as vs)) vs 1
