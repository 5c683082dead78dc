def f (n: i64) =
  map (\i -> iota i) -- error: this is a `(i: i64) -> [i]i64`
      (iota n)
