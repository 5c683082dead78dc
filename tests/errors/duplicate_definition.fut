def f (x: f64) = x
def f (x: f64) (y: f64) = x + y -- error: `f` is defined twice
type t = i32
type t = i64 -- error: `t` is defined twice
module f = {} -- error: `f` is defined twice
module m = {def g = 1 open {def g = 2} def h = 1 def h = 2} -- error: `h` is defined twice
module type m = {val x : i32 val x : i32} -- error: `x` is defined twice
module type m = {type t} -- error: `m` is defined twice
