def f (xs: []i64) : *[]i64 = xs -- error: the result is said to be unique, but may share memory with `xs`
