-- Loops that end at a fixed point, whose derivatives are fixed points, too: on the host, in threads, in a loop. All have limits, since
-- tests call them with what has none.

def distance [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.maximum (map2 (\x y -> f64.abs (x - y)) xs ys)

-- | A root by Newton's method.
def root (a: f64) : f64 =
  (#[fixed_point(40)] loop (y, old, i) = (a, a + 1, 0i32) while f64.abs (y - old) > 1e-13 && i < 40 do ((y + a / y) / 2, y, i + 1)).0

-- | Each thread iterates for itself. The derivative of a root is 1 / (2 root).
-- ==
-- entry: roots
-- input { [1f64, 4f64, 9f64, 0.25f64] } output { [0.5f64, 0.25f64, 0.16666666666666666f64, 1f64] [-0.25f64, -0.03125f64, -0.009259259259259259f64, -2f64] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry roots [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  (vjp (\xs -> f64.sum (map root xs)) xs 1, map (\x -> jvp (\x -> vjp root x 1) x 1) xs)

-- | A layer whose output is its own input, which the host iterates.
def equilibrium [n] (weights: [n][n]f64) (xs: [n]f64) : [n]f64 =
  (#[fixed_point(80)] loop (zs, error, steps) = (replicate n 0, f64.inf, 0i32) while error > 1e-13 && steps < 80 do
     let next = map2 (\row x -> f64.tanh (f64.sum (map2 (*) row zs) + x)) weights xs
     in (next, distance next zs, steps + 1)).0

-- | What the plain loop yields, to the 14th digit.
-- ==
-- entry: layer
-- input { [[0.2f64, 0.3f64], [-0.1f64, 0.4f64]] [0.5f64, -0.3f64] }
-- output { [[0.36617858604163f64, -0.43940896652764f64], [-0.31806236988712f64, 0.38167020840839f64]] [0.89505768414577f64, -0.77744624908842f64] }
entry layer [n] (weights: [n][n]f64) (xs: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(weights, xs) -> f64.sum (map (** 2) (equilibrium weights xs))) (weights, xs) 1

-- | All derivatives at once, in either mode.
-- ==
-- entry: jacobians
-- input { [[0.2f64, 0.3f64], [-0.1f64, 0.4f64]] [0.5f64, -0.3f64] }
-- output { [[0.96738631557197f64, 0.31629743117947f64], [-0.10543247705982f64, 1.05539713815033f64]] [[0.96738631557197f64, 0.31629743117947f64], [-0.10543247705982f64, 1.05539713815033f64]] }
entry jacobians [n] (weights: [n][n]f64) (xs: [n]f64) : ([n][n]f64, [n][n]f64) =
  let unit i = tabulate n (\j -> f64.bool (i == j))
  in (tabulate n (\i -> vjp (equilibrium weights) xs (unit i)), transpose (tabulate n (\i -> jvp (equilibrium weights) xs (unit i))))

-- | A plan of transport with these marginals, by Sinkhorn's scaling of rows and columns: what it costs, and the derivative of that by the
-- costs of single ways. A multiple of `vs` scales as well, which the cost does not depend on.
-- ==
-- entry: sinkhorn
-- input { [[0f64, 1f64], [1f64, 0f64]] [0.25f64, 0.75f64] [0.5f64, 0.5f64] }
-- output { 0.33695516829627f64 [[0.26633042807303f64, -0.01633042807303f64], [0.23366957192697f64, 0.51633042807303f64]] }
entry sinkhorn [n] [m] (costs: [n][m]f64) (from: [n]f64) (to: [m]f64) : (f64, [n][m]f64) =
  let cost (costs: [n][m]f64) =
    let kernel = map (map (\c -> f64.exp (-c))) costs
    let scaled_by (vs: [m]f64) = map2 (\a row -> a / f64.sum (map2 (*) row vs)) from kernel
    let (vs, _, _) =
      #[fixed_point(60)] loop (vs, old, i) = (replicate m 1, replicate m 2, 0i32) while distance vs old > 1e-14 && i < 60 do
        let us = scaled_by vs
        in (map2 (\b column -> b / f64.sum (map2 (*) column us)) to (transpose kernel), vs, i + 1)
    let us = scaled_by vs
    in f64.sum (map3 (\u row cs -> f64.sum (map3 (\v k c -> u * k * v * c) vs row cs)) us kernel costs)
  in (cost costs, vjp cost costs 1)

-- | Implicit steps in time: each one's end satisfies an equation that the step iterates.
-- ==
-- entry: implicit_euler
-- input { 4i64 0.2f64 [1f64, -0.5f64, 2f64] [1f64, 1f64, 1f64] }
-- output { -4.473742801891136f64 [0.5611626383141239f64, 0.5002885082927798f64, 0.9572905736568309f64] }
-- input { 0i64 0.2f64 [1f64] [3f64] } output { 0f64 [3f64] }
entry implicit_euler [n] (steps: i64) (h: f64) (start: [n]f64) (seeds: [n]f64) : (f64, [n]f64) =
  vjp (\(h, start) ->
         loop us = start for _i < steps do
           (#[fixed_point(60)] loop (next, old, i) = (us, map (+ 1) us, 0i32) while distance next old > 1e-14 && i < 60 do
              (map2 (\u y -> u - h * f64.sin y) us next, next, i + 1)).0)
      (h, start) seeds

-- | The adjoint of each step starts from that of the step behind it.
-- ==
-- entry: warm_steps
-- input { 4i64 0.2f64 [1f64, -0.5f64, 2f64] [1f64, 1f64, 1f64] }
-- output { -4.473742801891136f64 [0.5611626383141239f64, 0.5002885082927798f64, 0.9572905736568309f64] }
-- input { 0i64 0.2f64 [1f64] [3f64] } output { 0f64 [3f64] }
entry warm_steps [n] (steps: i64) (h: f64) (start: [n]f64) (seeds: [n]f64) : (f64, [n]f64) =
  vjp (\(h, start) ->
         loop us = start for _i < steps do
           (#[fixed_point(60, warm)] loop (next, old, i) = (us, map (+ 1) us, 0i32) while distance next old > 1e-14 && i < 60 do
              (map2 (\u y -> u - h * f64.sin y) us next, next, i + 1)).0)
      (h, start) seeds
