-- Every row of a matrix uses the same vector: its adjoint is a sum over rows.

def scale_rows [n] [m] (xss: [n][m]f64) (ys: [m]f64) (a: f64) : [n][m]f64 =
  map (\xs -> map2 (\x y -> f64.sin (a * x) * y) xs ys) xss

def linear [n] [m] (xss: [n][m]f64) (ys: [m]f64) : [n][m]f64 =
  map (map2 (*) ys) xss

entry scale_rows_vjp [n] [m] (xss: [n][m]f64) (ys: [m]f64) (a: f64) (seed: [n][m]f64) : ([n][m]f64, [m]f64, f64) =
  vjp (\(xss, ys, a) -> scale_rows xss ys a) (xss, ys, a) seed

-- ==
-- entry: linear_vjp
-- input { [[1f64, 2f64], [3f64, 4f64]] [5f64, 6f64] } output { [[5f64, 6f64], [5f64, 6f64]] [4f64, 6f64] }
entry linear_vjp [n] [m] (xss: [n][m]f64) (ys: [m]f64) : ([n][m]f64, [m]f64) =
  vjp (\(xss, ys) -> linear xss ys) (xss, ys) (map (map (const 1)) xss)
