-- Functions of f32, and their derivatives.

entry values [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  let positive = map (\x -> x * x + 0.5) xs
  in (map f32.log positive, map f32.sqrt positive, map f32.tanh xs, map2 f32.atan2 xs positive)

def f (x: f32) : f32 = f32.exp (-x * x) * f32.cos x + f32.tanh x

-- ==
-- entry: derivative
-- input { [0f32] } output { [1f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
entry derivative [n] (xs: [n]f32) : [n]f32 = vjp (map f) xs (replicate n 1)

entry rounded [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.floor xs, map f32.ceil xs, map f32.round xs, map f32.abs xs)

entry sigmoid_sum_vjp [n] [m] (xss: [n][m]f32) (seed: [n]f32) : [n][m]f32 =
  vjp (map (\xs -> f32.sum (map (\x -> 1 / (1 + f32.exp (-x))) xs))) xss seed
