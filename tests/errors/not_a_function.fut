def f (x: i32) (y: i32) = x
def g (x: i32) = f x x x -- error: `f` is applied to more arguments than it takes
