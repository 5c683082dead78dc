def norm2 [n] (xs: [n]f64) : f64 = f64.sum (map (\x -> x * x) xs)
