def f (b: bool) = -- error: the size `n` is made inside, and the type of this function cannot tell it
  let (n, _) = if b then (10, true) else (20, true)
  in \(_: [n]bool) -> true
