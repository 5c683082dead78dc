-- ode: a system in which each unknown drives the next one, from time 0 to 2 by s steps of the classical method of Runge and Kutta.

-- | The rates of change of ys: of the first unknown it is xs[0], of each other one xs[i] times the unknown before it.
def rates [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  tabulate n (\i -> if i == 0 then xs[0] else xs[i] * ys[i - 1])

def step [n] (h: f64) (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let ahead c ks = map2 (\y k -> y + c * k) ys ks
  let k1s = rates xs ys
  let k2s = rates xs (ahead (h / 2) k1s)
  let k3s = rates xs (ahead (h / 2) k2s)
  let k4s = rates xs (ahead h k3s)
  in map5 (\y k1 k2 k3 k4 -> y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)) ys k1s k2s k3s k4s

def solve [n] (s: i64) (xs: [n]f64) : [n]f64 =
  loop ys = replicate n 0 for _i < s do step (2 / f64.i64 s) xs ys

entry primal [n] (xs: [n]f64) (s: i64) : [n]f64 = solve s xs

-- | The gradient of the last unknown.
entry gradient [n] (xs: [n]f64) (s: i64) : [n]f64 = vjp (\xs -> last (solve s xs)) xs 1
