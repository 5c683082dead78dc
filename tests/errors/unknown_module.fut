def f (x: f64) : f64 = math.(x) -- error: there is no module `math`
module m = {
  module n = {def x = 1}
}
module o = m.p -- error: the module has no module `p`
module q = r -- error: there is no module `r`
def g (x: m.s.t) = x -- error: the module `m` has no `s`
-- What is wrong already is not reported again.
def h = q.x + o.y
module s = intrinsics -- error: the module `intrinsics` is the prelude's own
