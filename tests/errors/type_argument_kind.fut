type vec [n] = [n]f64
def f (x: vec i32) = x -- error: the type `vec` takes for argument 1 a size
