-- Both parts of what a function yields may be one array, whatever the function is called.

def unzipped [n] (xs: [n]f64) : ([n]f64, [n]f64) = (xs, xs)

entry main [n] (xs: [n]f64) : ([n]f64, f64) =
  let (a, b) = unzipped (copy xs)
  let c = a with [0] = 100
  in (c, b[0])  -- error: `b` is used after it was consumed
