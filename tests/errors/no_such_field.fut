def f (p: {x: f64, y: f64}) = p.z -- error: there is no field `z` in a `{x: f64, y: f64}`
