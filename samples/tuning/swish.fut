-- The activation function swish for a layer, and its return sweep.

def swish (x: f32) : f32 = x / (1 + f32.exp (-x))

entry activate [n] (xs: [n]f32) : [n]f32 = map swish xs

entry activate_back [n] (xs: [n]f32) (ys_adj: [n]f32) : [n]f32 = vjp (map swish) xs ys_adj
