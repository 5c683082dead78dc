def f (xs: [3]i32) = xs[0, 1] -- error: a `[3]i32` cannot be indexed by 2 indices
