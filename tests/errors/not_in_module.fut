module type mt = {
  type t
  val x : t
  module inner: {val y : i32}
}
module a: mt = {type t = i32 def x = 1 module inner = {def y = 2}}
module b: mt = {def x = 1 module inner = {def y = 2}} -- error: the module has no type `t`
module c: mt = {type t = i32 def x = 1 module inner = {def z = 2}} -- error: the module has no value `inner.y`
module d: mt = {type t = i32 def x = 1} -- error: the module has no module `inner`
module e (p: mt) : {val z : i32} = {def y = p.x} -- error: the module has no value `z`
def x = c.x
