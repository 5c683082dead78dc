entry passed (acc: *core.acc ([3]f64)) : f64 = 1 -- error: an accumulator cannot be an argument of an entry point
def repeated (xs: *[3]f64) = core.with_add xs (\acc -> map (\_ -> acc) (iota 3)) -- error: an accumulator cannot be part of an array
