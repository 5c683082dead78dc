def f (xs: *[]i32) =
  let ys = xs with [0] = 1
  in xs[0] + ys[0] -- error: `xs` is used after it was consumed
