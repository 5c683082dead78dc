def f (n: i64) : i64 = if n == 0 then 1 else n * f (n - 1) -- error: `f` is recursive
