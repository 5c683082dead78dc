-- Sums of products that their squares read, and two return sweeps: nobody stores them.

def sums [n] [m] [k] (xss: [n][k]f64) (css: [m][k]f64) : [n][m]f64 =
  map (\xs -> map (\cs -> f64.sum (map2 (*) xs cs)) css) xss

def energy [b] [n] [k] (xss: [n][k]f64) (meanss: [b][k]f64) (csss: [b][k][k]f64) : f64 =
  let zsss = opaque (map2 (\means css -> sums (map (\xs -> map2 (-) xs means) xss) css) meanss csss)
  let norms = opaque (map (map (\zs -> f64.sum (map (\z -> z * z) zs))) zsss)
  in f64.sum (map (\norms -> f64.log (1 + f64.sum norms)) (transpose norms))

def near (x: f64) (y: f64) = f64.abs (x - y) <= 1e-9 * (1 + f64.abs y)

-- The adjoint of a sum is 2 w z: of csss w z (x - mean) is added up over all points, of means w z c over points and sums.
-- ==
-- entry: gradient
-- random input { [200][70]f64 [2][70]f64 [2][70][70]f64 } output { true }
-- random input { [70][33]f64 [40][33]f64 [40][33][33]f64 } output { true }
-- random input { [50][7]f64 [2][7]f64 [2][7][7]f64 } output { true }
-- random input { [0][7]f64 [2][7]f64 [2][7][7]f64 } output { true }
-- random input { [5][0]f64 [3][0]f64 [3][0][0]f64 } output { true }
entry gradient [b] [n] [k] (xss: [n][k]f64) (meanss: [b][k]f64) (csss: [b][k][k]f64) : bool =
  let (meanss', csss') = vjp (\(meanss, csss) -> energy xss meanss csss) (meanss, csss) 1
  let z c i j = loop z = 0 for l < k do z + (xss[i, l] - meanss[c, l]) * csss[c, j, l]
  let zsss = tabulate_3d b n k z
  let ws = tabulate n (\i -> 2 / (1 + (loop s = 0 for c < b do loop s for j < k do s + zsss[c, i, j] * zsss[c, i, j])))
  let of_c c j l = loop s = 0 for i < n do s + ws[i] * zsss[c, i, j] * (xss[i, l] - meanss[c, l])
  let of_mean c l = loop s = 0 for j < k do loop s for i < n do s - ws[i] * zsss[c, i, j] * csss[c, j, l]
  let agree_c = and (map and (map (map and) (tabulate_3d b k k (\c j l -> near csss'[c, j, l] (of_c c j l)))))
  let agree_means = and (map and (tabulate_2d b k (\c l -> near meanss'[c, l] (of_mean c l))))
  in agree_c && agree_means
