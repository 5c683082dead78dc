module type mt = {
  val x : i32
  module inner: {val f [n] : [n]i32 -> *[n]i32}
}
module a: mt = {def x = 1f32 module inner = {def f xs = map (+ 1) xs}} -- error: the module has `val x : f32`, but `val x : i32` is expected
module b: mt = {def x = 1 module inner = {def f [n] (xs: [n]i32) : [n]i32 = xs}} -- error: `val inner.f
module f (p: {val x : i32}) = {def y = p.x}
module c = f {def x = true} -- error: the module has `val x : bool`, but `val x : i32` is expected
module d: {val f 'a 'b : a -> b -> (a, b)} = {def f 'a (x: a) (y: a) = (x, y)} -- error: `val f
module e: {val f : [1]i32 -> bool} = {def f (_: *[1]i32) = true} -- error: but `val f : [1]i32 -> bool` is expected
module g: {val f '^a : a -> a} = {def f 'a (x: a) = x} -- error: but `val f '^a : a -> a` is expected
