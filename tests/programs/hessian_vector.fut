-- Second derivatives of a function of an array: forward over reverse, and reverse over reverse.

def f [n] (xs: [n]f64) : f64 = f64.sum (map (\x -> x * x * x) xs) * f64.sum xs

def gradient [n] (xs: [n]f64) : [n]f64 = vjp f xs 1

-- | At [1, 2] with direction [1, 0]: 6 x0 s + 6 x0^2, 3 x1^2 + 3 x0^2 for s = x0 + x1.
-- ==
-- entry: forward_over_reverse reverse_over_reverse
-- input { [1f64, 2f64] [1f64, 0f64] } output { [24f64, 15f64] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
entry forward_over_reverse [n] (xs: [n]f64) (direction: [n]f64) : [n]f64 = jvp gradient xs direction
entry reverse_over_reverse [n] (xs: [n]f64) (direction: [n]f64) : [n]f64 = vjp gradient xs direction

entry diagonal [n] (xs: [n]f64) : [n]f64 =
  jvp (\xs -> vjp (\xs -> f64.sum (map f64.exp xs)) xs 1) xs (replicate n 1)
