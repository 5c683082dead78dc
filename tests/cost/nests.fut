-- Perfect map nests: the derivative is one nest of the same depth, and computes nothing twice.

#[inline]
def f_adj (x: f64) (y_adj: f64) : f64 =
  let square_adj = f64.exp (x * x) * y_adj
  in x * square_adj + x * square_adj

entry depth_1 [n] (xs: [n]f64) : [n]f64 = vjp (map (\x -> f64.exp (x * x))) xs xs
entry depth_1_by_hand [n] (xs: [n]f64) : [n]f64 = map2 f_adj xs xs
entry depth_2 [n] (xs: [n][n]f64) : [n][n]f64 = vjp (map (map (\x -> f64.exp (x * x)))) xs xs
entry depth_2_by_hand [n] (xs: [n][n]f64) : [n][n]f64 = map2 (map2 f_adj) xs xs
entry depth_3 [n] (xs: [n][n][n]f64) : [n][n][n]f64 = vjp (map (map (map (\x -> f64.exp (x * x))))) xs xs
entry depth_3_by_hand [n] (xs: [n][n][n]f64) : [n][n][n]f64 = map2 (map2 (map2 f_adj)) xs xs
entry depth_4 [n] (xs: [n][n][n][n]f64) : [n][n][n][n]f64 = vjp (map (map (map (map (\x -> f64.exp (x * x)))))) xs xs
entry depth_4_by_hand [n] (xs: [n][n][n][n]f64) : [n][n][n][n]f64 =
  map2 (map2 (map2 (map2 f_adj))) xs xs
