def branch (c: bool) = (if c then f64.sin else f64.cos) 1 -- error: a function cannot be the result of a branch
def elements = [f64.sin, f64.cos] -- error: a function cannot be an element of an array
entry result (x: f64) (f: f64 -> f64) = f x -- error: a function cannot be an argument of an entry point
