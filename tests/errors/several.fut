def f (x: i32) : f32 = x -- error: this is a `i32`
def g (y: f64) : i64 = y -- error: this is a `f64`
def h (z: bool) : bool = z + 1 -- error: this is a `bool`
