def f (xs: *[4]i64) =
  loop (ys: [4]i64) = xs for i < 4 do
    ys with [i] = i -- error: `ys` is consumed, but the parameter is not unique
