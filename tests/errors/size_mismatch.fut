def f [n] [m] (xs: [n]i32) (ys: [m]i32) =
  map2 (+) xs ys -- error: this is a `[m]i32`, but a `[n]i32` is expected
