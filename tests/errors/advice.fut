def f (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (+) xs ys -- error: `n` is not defined here
def add (x: f64) (y: f64) = x + y
def g (x: f64) : f64 = add x -- error: this is a `f64 -> f64`, but a `f64` is expected
def h (xs: []f64) : f64 = reduce (+) xs -- error: this is a `[]f64`, but a `number` is expected
def k (xs: []i64) : []f64 = map (\x -> x / 2.0) xs -- error: this is a `[]i64`, but a `[]float` is expected
def mean [n] (xs: [n]f64) : f64 = f64.sum xs / n -- error: this is a `i64`, but a `f64` is expected
