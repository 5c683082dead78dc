def f (x: i32) : i32 = x + y -- error: `y` is not defined here
