-- Branches inside a map, and one around whole arrays, with their derivatives.

def relu_like (x: f64) : f64 = if x > 0.25 then x * x else if x < -0.25 then f64.exp x else 0.5 * x

-- ==
-- entry: elementwise
-- input { [-1f64, 0f64, 3f64] } output { [0.36787944117144233f64, 0.5f64, 6f64] }
entry elementwise [n] (xs: [n]f64) : [n]f64 = vjp (map relu_like) xs (replicate n 1)

def choose [n] (flag: bool) (xs: [n]f64) : [n]f64 = if flag then map f64.cos xs else scan (+) 0 xs

entry chosen [n] (flag: bool) (xs: [n]f64) : [n]f64 = choose flag xs
entry chosen_vjp [n] (flag: bool) (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (choose flag) xs seed

-- | A branch whose sides use different free variables.
entry sides [n] (xs: [n]f64) (a: f64) (b: f64) : (f64, f64) =
  vjp (\(a, b) -> f64.sum (map (\x -> if x < 0 then a * x else b * x * x) xs)) (a, b) 1
