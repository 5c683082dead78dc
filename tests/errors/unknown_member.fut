def f (x: f64) : f64 = f64.squirt x -- error: the module `f64` has no `squirt`
