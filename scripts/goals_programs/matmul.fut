-- A product of matrices, and the adjoints of both.
def matmul [n] [m] [k] (xss: [n][m]f32) (yss: [m][k]f32) : [n][k]f32 =
  map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss

entry primal [n] [m] [k] (xss: [n][m]f32) (yss: [m][k]f32) = matmul xss yss
entry gradient [n] [m] [k] (xss: [n][m]f32) (yss: [m][k]f32) (seed: [n][k]f32) =
  vjp (\(xss, yss) -> matmul xss yss) (xss, yss) seed
