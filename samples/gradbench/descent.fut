-- Gradient descent whose steps grow while it gets on and shrink where it does not, for functions whose gradient is itself taken by
-- differentiation: `gradient` is either of those below.

def by_forward_mode [n] (f: [n]f64 -> f64) (x: [n]f64) : [n]f64 =
  tabulate n (\i -> jvp f x (tabulate n (\j -> f64.bool (i == j))))

def by_reverse_mode [n] (f: [n]f64 -> f64) (x: [n]f64) : [n]f64 = vjp f x 1

def norm [n] (xs: [n]f64) : f64 = f64.sqrt (f64.sum (map (\x -> x * x) xs))

-- | Where f is least, as found from `start`: until the gradient or a step is shorter than 1e-5. Ten good steps double the rate, one
-- that does not lead down halves it.
def argmin [n] (gradient: ([n]f64 -> f64) -> [n]f64 -> [n]f64) (f: [n]f64 -> f64) (start: [n]f64) : [n]f64 =
  let least = 1e-5
  let (x, _, _, _, _, _) =
    loop (x, fx, slope, rate, good, going) = (start, f start, gradient f start, 1e-5, 0i32, true) while going do
      if norm slope <= least
      then (x, fx, slope, rate, good, false)
      else if good == 10
      then (x, fx, slope, 2 * rate, 0, true)
      else let next = map2 (\x s -> x - rate * s) x slope
           in if norm (map2 (-) x next) <= least
              then (x, fx, slope, rate, good, false)
              else let f_next = f next
                   in if f_next < fx
                      then (next, f_next, gradient f next, rate, good + 1, true)
                      else (x, fx, slope, rate / 2, 0, true)
  in x

def argmax [n] (gradient: ([n]f64 -> f64) -> [n]f64 -> [n]f64) (f: [n]f64 -> f64) (start: [n]f64) : [n]f64 =
  argmin gradient (\x -> -(f x)) start
