def choice (a: f64) (b: f64) (c: f64) : f64 = if a < b then a * c else b

def powers (x: f64) (n: i64) : f64 = loop y = 1 for _i < n do y * x

def sums_of_rows [n] [m] (xss: [n][m]f64) : [n]f64 = map f64.sum xss

def histogram [n] (xs: [n]f64) (bins: [n]i64) : [4]f64 = reduce_by_index (replicate 4 0) (+) 0 bins xs

def product_of [n] (xs: [n]f64) : f64 = f64.product xs
