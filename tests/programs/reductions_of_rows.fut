-- Reductions inside a map, and their derivatives.

def norms [n] [m] (xss: [n][m]f64) : [n]f64 = map (\xs -> f64.sqrt (1 + f64.sum (map2 (*) xs xs))) xss

entry extremes [n] [m] (xss: [n][m]f64) : ([n]f64, [n]f64, [n]f64) =
  unzip3 (map (\xs -> (f64.minimum xs, f64.maximum xs, f64.product xs)) xss)

entry norms_vjp [n] [m] (xss: [n][m]f64) (seed: [n]f64) : [n][m]f64 = vjp norms xss seed
entry norms_jvp [n] [m] (xss: [n][m]f64) (xss_tan: [n][m]f64) : [n]f64 = jvp norms xss xss_tan

entry products_vjp [n] [m] (xss: [n][m]f64) (seed: [n]f64) : [n][m]f64 = vjp (map f64.product) xss seed

-- ==
-- entry: maxima_vjp
-- input { [[1f64, 5f64, 2f64], [7f64, 0f64, 3f64]] [10f64, 20f64] }
-- output { [[0f64, 10f64, 0f64], [20f64, 0f64, 0f64]] }
entry maxima_vjp [n] [m] (xss: [n][m]f64) (seed: [n]f64) : [n][m]f64 = vjp (map f64.maximum) xss seed
