def f (xss: *[4][4]i64) =
  xss with [0] = xss[1] -- error: the new value shares memory with `xss`
