-- Reading at indices that are data: adjoints of one element add up.

def at [n] [m] (indices: [n]i64) (xs: [m]f64) : [n]f64 = map (\i -> xs[i] * xs[i]) indices

-- ==
-- entry: gather_vjp
-- input { [0i64, 2i64, 0i64] [1f64, 5f64, 3f64] } output { [4f64, 0f64, 6f64] }
-- input { empty([0]i64) [1f64, 5f64] } output { [0f64, 0f64] }
entry gather_vjp [n] [m] (indices: [n]i64) (xs: [m]f64) : [m]f64 = vjp (at indices) xs (replicate n 1)

-- | Safe at every size: what is out of range counts as nothing.
entry guarded_vjp [n] [m] (indices: [n]i64) (xs: [m]f64) (seed: [n]f64) : [m]f64 =
  vjp (\xs -> map (\i -> if i >= 0 && i < m then f64.sin xs[i] else 0) indices) xs seed

-- | Out of range is an error.
entry gather [n] [m] (indices: [n]i64) (xs: [m]f64) : [n]f64 = at indices xs

entry rows_vjp [n] [m] [k] (indices: [n]i64) (xss: [m][k]f64) : [m][k]f64 =
  vjp (\xss -> f64.sum (map (\i -> if i < m then f64.product xss[i] else 0) indices)) xss 1
