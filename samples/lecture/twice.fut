def energy [n] (xs: [n]f64) : f64 = f64.sum (map (\x -> x * x * x) xs)

entry curvature [n] (xs: [n]f64) (direction: [n]f64) : [n]f64 =
  jvp (\xs -> vjp energy xs 1) xs direction
