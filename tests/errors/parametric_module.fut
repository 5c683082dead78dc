module f (p: {val x : i32}) = {def y = p.x}
def a = f.y -- error: `f` is a parametric module
open f -- error: `f` is a parametric module
module g = f {def x = 1}
def b = g.y
