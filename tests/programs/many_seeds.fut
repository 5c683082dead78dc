-- Jacobians from several seeds at once.

def f [n] (xs: [n]f64) : [n]f64 = map (\x -> x * x * f64.sum xs) xs

entry given_tangents [k] [n] (xs: [n]f64) (tangents: [k][n]f64) : [k][n]f64 = jmp f xs tangents
entry given_adjoints [k] [n] (xs: [n]f64) (adjoints: [k][n]f64) : [k][n]f64 = mjp f xs adjoints

-- | The unit vectors as seeds: y_i = x_i^2 (x_0 + x_1).
-- ==
-- entry: jacobian
-- input { [2f64, 3f64] } output { [[24f64, 4f64], [9f64, 39f64]] [[24f64, 9f64], [4f64, 39f64]] }
entry jacobian [n] (xs: [n]f64) : ([n][n]f64, [n][n]f64) =
  let units = tabulate_2d n n (\i j -> if i == j then 1 else 0)
  in (mjp f xs units, jmp f xs units)

-- | Seeds that are checked: one that is too large is found out where the derivative does not read it.
-- ==
-- entry: checked_seeds
-- input { [1.0, 2.0] [1i64, 2i64] } output { [12.0, 24.0] }
-- input { [1.0, 2.0] [1i64, 5i64] } error: .
entry checked_seeds [n] (seeds: [n]f64) (is: [n]i64) : [n]f64 =
  map2 (\seed i -> jvp (\x -> x * x * x) 2 (assert (i < 3) seed)) seeds is
