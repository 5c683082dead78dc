-- Quotients by 1 + exp w, differentiated where exp overflows, too.

def logistic (x: f64) : f64 = 1 / (1 + f64.exp (-x))

-- ==
-- entry: gradients
-- input { [-1000.0, -750.0, -3.0, 0.0, 2.0, 37.5, 1000.0] }
-- output { [0.0, 0.0, 0.045176659730912144, 0.25, 0.1049935854035065, 5.175555005801869e-17, 0.0]
--          [0.0, 0.0, 0.045176659730912144, 0.25, 0.1049935854035065, 5.175555005801869e-17, 0.0] }
entry gradients (xs: []f64) : ([]f64, []f64) =
  (map (\x -> vjp logistic x 1) xs, map (\x -> jvp logistic x 1) xs)

-- Every digit of what is close to 0 counts: times exp |x| it is 1 / (1 + exp (-|x|))^2.
-- ==
-- entry: all_digits
-- input { [-700.0, -400.0, -20.0, 0.5] }
-- output { [1.0, 1.0, 0.9999999958776926, 0.3874556190002601] }
entry all_digits (xs: []f64) : []f64 =
  map (\x -> f64.exp (f64.abs x / 2) * vjp logistic x 1 * f64.exp (f64.abs x / 2)) xs

-- ==
-- entry: gradients_f32
-- input { [-100.0f32, -89.0f32, 0.0f32, 100.0f32] }
-- output { [0.0f32, 0.0f32, 0.25f32, 0.0f32] }
entry gradients_f32 (xs: []f32) : []f32 =
  map (\x -> vjp (\x -> 1 / (1 + f32.exp (-x))) x 1) xs

-- ==
-- entry: higher_orders
-- input { [-1000.0, -30.0, -1.5, 0.0, 0.25, 4.0] }
-- output { [0.0, 9.357622968836674e-14, 0.09473021278475266, 0.0, -0.030607512026718756, -0.017027335928389127]
--          [0.0, 9.357622968833171e-14, 0.01567846707932428, -0.125, -0.11735783737287508, 0.01579087906862892] }
entry higher_orders (xs: []f64) : ([]f64, []f64) =
  let first x = vjp logistic x 1
  let second x = vjp first x 1
  in (map second xs, map (\x -> jvp second x 1) xs)

-- What is divided varies, too.
-- ==
-- entry: quotients
-- input { [-300.0, -1.0, 0.5, 300.0] }
-- output { [-600.0, -2.0170156987156904, 0.20128788464694958, 0.0] }
entry quotients (xs: []f64) : []f64 =
  map (\x -> vjp (\x -> x * x / (f64.exp (3 * x - 1) + 1)) x 1) xs

-- The quotient stands in a branch, and the exponential does not; who divides by it otherwise gets the rest.
-- ==
-- entry: branches
-- input { [-30.0, -1.5, 0.0, 0.25, 4.0] }
-- output { [2.8072868906515275e-13, 0.4474393562109985, 0.75, 0.49226816547519664, 0.03532541242658223]
--          [2.8072868906515275e-13, 0.4474393562109985, 0.75, 0.49226816547519664, 0.03532541242658223] }
entry branches (xs: []f64) : ([]f64, []f64) =
  let f x = let e = f64.exp (-x) in if x > 0 then 2 / (1 + e) else 3 / (1 + e)
  in (map (\x -> vjp f x 1) xs, map (\x -> jvp f x 1) xs)

-- The divisor has other uses: f = z + log (1 + e) with z = 1 / (1 + e), f' = z (1 - z) - (1 - z).
-- ==
-- entry: divisors
-- input { [-2.0, 0.0, 3.0] }
-- output { [-0.7758034925743562, -0.25, -0.0022492134466445947] }
entry divisors (xs: []f64) : []f64 =
  map (\x -> vjp (\x -> let s = 1 + f64.exp (-x) in 1 / s + f64.log s) x 1) xs
