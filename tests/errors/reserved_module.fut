module core = { def f (x: f64) : f64 = x } -- error: the module name `core` is reserved
