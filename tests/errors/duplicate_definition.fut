def f (x: i32) = x
def f (x: i64) = x -- error: `f` is defined twice
