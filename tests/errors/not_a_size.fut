def f [n] (xs: [n]i64) : [reduce (\x y -> x + y) 0 xs]i64 = [] -- error: a size is made of constants, names
def g (xs: *[3]i64) (ys: [xs[0]]i64) = ys[0] -- error: a size is made of constants, names
