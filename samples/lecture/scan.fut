def prefixes [n] (xs: [n]f64) : [n]f64 = scan (+) 0 xs

def growth [n] (rates: [n]f64) : [n]f64 = scan (*) 1 rates
