def f (x: f64) : [i64.i32 (i32.f64 x)]i8 = replicate (i64.i8 (i8.f64 x)) 0 -- error: this is a `[i64.i8 (i8.f64 x)]number`
