module m = {
  entry f (x: i32) = x -- error: the entry point `f` is inside a module
}
entry g (x: i32) = m.f x
