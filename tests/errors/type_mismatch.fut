def f (x: i32) : f32 = x -- error: this is a `i32`, but a `f32` is expected
def g (x: i32) : i32 = f64.sqrt x -- error: this is a `i32`, but a `f64` is expected
