def f (n: i64) =
  let xs = replicate n 0i64
  in map (\i -> let ys = xs with [i] = i in ys[0]) -- error: `xs` is consumed in a function or loop body
         (iota n)
