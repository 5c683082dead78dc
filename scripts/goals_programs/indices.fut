-- Elements stored at, and read from, places that are near to random, and the adjoints of what is stored and read. The larger array
-- has four times as many elements.
def place (m: i64) (i: i64) (j: i64) : i64 = (((i + j * 2654435761) & 0xffffffff) * m) >> 32

def stored [m] [n] (is: [n]i64) (xs: [m]f32) (vs: [n]f32) : [m]f32 = scatter (copy xs) (map2 (place m) is (iota n)) vs
def read [m] [n] (is: [n]i64) (xs: [m]f32) : [n]f32 = map2 (\i j -> xs[place m i j]) is (iota n)

entry scatter_primal [n] (is: [n]i64) (xss: *[n][4]f32) (vs: [n]f32) = scatter (flatten xss) (map2 (place (n * 4)) is (iota n)) vs
entry scatter_gradient [n] (is: [n]i64) (xss: [n][4]f32) (vs: [n]f32) (seed: [n][4]f32) =
  vjp (\(xs, vs) -> stored is xs vs) (flatten xss, vs) (flatten seed)
entry gather_primal [n] (is: [n][4]i64) (xs: [n]f32) = read (flatten is) xs
entry gather_gradient [n] (is: [n][4]i64) (xs: [n]f32) (seed: [n][4]f32) = vjp (read (flatten is)) xs (flatten seed)
