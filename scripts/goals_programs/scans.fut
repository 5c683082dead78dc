-- Scans of an array and the adjoints of its elements: sums, products, and the recurrence y[i] = a[i] * y[i - 1] + b[i].
def recurrence [n] (as: [n]f32) (bs: [n]f32) : [n]f32 =
  scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip as bs) |> map (.1)

entry plus_primal [n] (xs: [n]f32) = scan (+) 0 xs
entry plus_gradient [n] (xs: [n]f32) (seed: [n]f32) = vjp (scan (+) 0) xs seed
entry times_primal [n] (xs: [n]f32) = scan (*) 1 xs
entry times_gradient [n] (xs: [n]f32) (seed: [n]f32) = vjp (scan (*) 1) xs seed
entry recurrence_primal [n] (as: [n]f32) (bs: [n]f32) = recurrence as bs
entry recurrence_gradient [n] (as: [n]f32) (bs: [n]f32) (seed: [n]f32) = vjp (\(as, bs) -> recurrence as bs) (as, bs) seed
