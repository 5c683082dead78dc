-- Entries whose examples of a call show more than those of the samples do: `compile_calls` compiles them.

-- | Indices are checked.
entry picked [n] [m] (xs: [n]f64) (is: [m]i64) : [m]f64 = map (\i -> xs[i]) is

-- | Sizes of results are known late.
entry positive [n] (xs: [n]f32) : ([]f32, f32) = (filter (> 0) xs, f32.sum xs)

-- | Both, and a number that is no size.
entry above [n] [m] (least: f64) (xs: [n]f64) (is: [m]i64) : []f64 = filter (>= least) (map (\i -> xs[i]) is)

-- No arrays.
entry doubled (x: f32) : f32 = x + x

-- Types of other headers, and names that the example has itself.
entry halves [n] (error: f16) (status: f16) (bytes: [n]f16) : [n]f16 = map (\b -> b * error + status) bytes
