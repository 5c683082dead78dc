-- A function of one number, its derivative in both modes, and its second derivative in all four.

def f (x: f64) : f64 = x * x * x + f64.sin x

entry reverse (x: f64) : f64 = vjp f x 1
entry forward (x: f64) : f64 = jvp f x 1

-- | At 0 and 2: 6 x - sin x.
-- ==
-- entry: second
-- input { 0f64 } output { 0f64 0f64 0f64 0f64 }
-- input { 2f64 } output { 11.090702573174318 11.090702573174318 11.090702573174318 11.090702573174318 }
entry second (x: f64) : (f64, f64, f64, f64) =
  (vjp reverse x 1, vjp forward x 1, jvp reverse x 1, jvp forward x 1)

-- ==
-- entry: third
-- input { 0f64 } output { 5f64 }
entry third (x: f64) : f64 = jvp (\x -> vjp reverse x 1) x 1
