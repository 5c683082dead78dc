def table = [1, 2, 3]
def f (x: i32) = table with [0] = x -- error: `table` is consumed, but it is a top-level constant
