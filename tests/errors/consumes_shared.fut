def f (xs: *[]i64) =
  scatter xs -- error: `xs` is consumed and used in the same application
          [0] (take 1 xs)
