-- | log (1 + exp x), without overflow.
def softplus (x: f64) : f64 = f64.max x 0 + f64.log1p (f64.exp (-f64.abs x))
