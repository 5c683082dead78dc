def f [n] (xs: [n]i64) : [xs[0]]i64 = iota xs[0] -- error: a size is a constant, a name, or arithmetic on those
