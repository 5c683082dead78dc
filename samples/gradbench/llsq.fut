-- llsq: how far a polynomial is from the sign function, at n points from -1 to 1. The coefficients xs are in the order of their powers.

def polynomial [m] (xs: [m]f64) (t: f64) : f64 =
  let (sum, _) = loop (sum, power) = (0, 1) for x in xs do (sum + x * power, power * t)
  in sum

def objective [m] (n: i64) (xs: [m]f64) : f64 =
  let squared_residual i =
    let t = -1 + 2 * f64.i64 i / f64.i64 (n - 1)
    let residual = f64.sgn t - polynomial xs t
    in residual * residual
  in 0.5 * f64.sum (tabulate n squared_residual)

entry primal [m] (xs: [m]f64) (n: i64) : f64 = objective n xs

entry gradient [m] (xs: [m]f64) (n: i64) : [m]f64 = vjp (objective n) xs 1
