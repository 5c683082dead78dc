def kept (n: i64) (xs: []i32) = loop (ys: *[]i32) = xs for i < n do ys -- error: `xs` is consumed, but the parameter is not unique
def crossed (n: i64) (xs: [3]i32) =
  loop (ys: *[3]i32, zs: *[3]i32) = (xs, replicate 3 0) for i < n do (zs, ys) -- error: `xs` is consumed, but the parameter is not unique
def consumed_afterwards (n: i64) (xs: []i32) =
  let ys = loop (ys: *[]i32) = xs for i < n do map (+ 1) ys
  in ys with [0] = 1 -- error: `xs` is consumed, but the parameter is not unique
