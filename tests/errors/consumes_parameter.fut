def f (xs: []i32) = xs with [0] = 1 -- error: `xs` is consumed, but the parameter is not unique
