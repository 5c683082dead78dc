-- A reduction by index with an operator of which nothing is known: per element the derivative applies it at most four times, and
-- its derivative twice.

def add_velocities (x: f64) (y: f64) : f64 = (x + y) / (1 + x * y)

def combine [n] (xs: [n]f64) : [10]f64 =
  reduce_by_index (replicate 10 0) add_velocities 0 (map (% 10) (iota n)) xs

entry operator (x: f64) (y: f64) : f64 = add_velocities x y
entry operator_gradient (x: f64) (y: f64) (z_adj: f64) : (f64, f64) = vjp (uncurry add_velocities) (x, y) z_adj
entry objective [n] (xs: [n]f64) : [10]f64 = combine xs
entry gradient [n] (xs: [n]f64) : [n]f64 = vjp combine xs (take 10 xs)
