module m: {type^ t val x : t} = {type^ t = i32 -> i32 def x = (+ 1)}
def a: []m.t = [] -- error: an array cannot hold a `m.t`, which may hide functions
module f (p: {type~ t val x : t}) = {
  def b (xs: [3]p.t) = xs -- error: an array cannot hold a `p.t`, which may hide sizes
}
