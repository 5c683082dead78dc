def f (x: f64) : i64 = length (rep x) -- error: the size `n` cannot be inferred here
