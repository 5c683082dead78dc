def choose '^a (b: bool) (x: a) (y: a) : a =
  if b then x else y -- error: a function cannot be the result of a branch
