def zeroed (make: i64 -> *[4]i32) : *[4]i32 = make 0 with [0] = 0
def named (xs: [4]i32) : *[4]i32 =
  let same (_: i64) = xs
  in zeroed same -- error: this is a `i64 -> [4]i32`, but a `i64 -> *[4]i32` is expected
def nameless (xs: [4]i32) : *[4]i32 = zeroed (\_ -> xs) -- error: the result is said to be unique, but may share memory with `xs`
def bound (xs: [4]i32) : *[4]i32 =
  let same : i64 -> *[4]i32 = \_ -> xs -- error: the result is said to be unique, but may share memory with `xs`
  in same 0
