def f (x: f64) : f64 = math.(x) -- error: there is no module `math`
