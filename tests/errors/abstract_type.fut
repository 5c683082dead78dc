module type mt = {type t val make : i32 -> t val show : t -> i32}
module m = {type t = i32 def make (x: i32) = x def show (x: i32) = x def more = 1}
module a: mt = m
module b: mt = m
def f : i32 = a.make 1 -- error: this is a `a.t`, but a `i32` is expected
def g = a.show 1i32 -- error: this is a `i32`, but a `a.t` is expected
def h = a.show (b.make 1) -- error: this is a `b.t`, but a `a.t` is expected
def i = a.show (a.make 1) + m.show (m.make 2)
def j = a.more -- error: the module `a` has no `more`
-- The body is checked for any argument, and once.
module in_body (p: mt) = {
  def x : i32 = p.make 1 -- error: this is a `p.t`, but a `i32` is expected
}
module k = in_body m
module l = in_body m
