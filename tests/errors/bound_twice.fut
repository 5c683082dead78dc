def f (x: i32, x: i32) = x -- error: `x` is bound twice
