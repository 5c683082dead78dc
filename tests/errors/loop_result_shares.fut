def f (n: i64) (zs: [3]i64) =
  loop xs = replicate 3 0
  for i < n do
    let _ = xs with [0] = i in zs -- error: the next value of `xs`, which is consumed, shares memory with `zs`
