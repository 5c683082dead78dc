def f (x: i32) : i32 =
  let (1, y) = (x, x) -- error: this pattern does not match `(_, _)`
  in y
