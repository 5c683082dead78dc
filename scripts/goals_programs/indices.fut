-- Elements stored at, and read from, places that are near to random, and the adjoints of what is stored and read.
def place (m: i64) (i: i64) (j: i64) : i64 = (i + j * 2654435761) %% m

def stored [m] [n] (is: [n]i64) (xs: [m]f32) (vs: [n]f32) : [m]f32 = scatter (copy xs) (map2 (place m) is (iota n)) vs
def read [m] [n] (is: [n]i64) (xs: [m]f32) : [n]f32 = map2 (\i j -> xs[place m i j]) is (iota n)

entry scatter_primal [m] [n] (is: [n]i64) (xs: *[m]f32) (vs: [n]f32) = scatter xs (map2 (place m) is (iota n)) vs
entry scatter_gradient [m] [n] (is: [n]i64) (xs: [m]f32) (vs: [n]f32) (seed: [m]f32) =
  vjp (\(xs, vs) -> stored is xs vs) (xs, vs) seed
entry gather_primal [m] [n] (is: [n]i64) (xs: [m]f32) = read is xs
entry gather_gradient [m] [n] (is: [n]i64) (xs: [m]f32) (seed: [n]f32) = vjp (read is) xs seed
