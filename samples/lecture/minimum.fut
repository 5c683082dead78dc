def nearest [n] (xs: [n]f64) (p: f64) : f64 = f64.minimum (map (\x -> (x - p) * (x - p)) xs)
