-- What all points multiply by the same is added up first, and multiplied once. Forward mode, where there is no
-- accumulator to add to, says the same.

def dot [d] (xs: [d]f64) (ys: [d]f64) : f64 = f64.sum (map2 (*) xs ys)

def norm [p] [d] (q: [p][d]f64) (z: [d]f64) : f64 =
  f64.sum (map (\row -> let y = dot row z in y * y) q)

-- The sum of w |q (z - mean)|^2.
def spread [n] [p] [d] (ws: [n]f64) (zs: [n][d]f64) (q: [p][d]f64) (mean: [d]f64) : f64 =
  f64.sum (map2 (\w z -> w * norm q (map2 (-) z mean)) ws zs)

-- ==
-- entry: gradient
-- input { [1.0, 2.0, -1.0] [[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]] [[1.0, 0.5], [-2.0, 1.5]] [0.25, -0.5] }
-- output { [[-16.25, -0.5], [20.0, 23.5]] [15.0, -7.5] }
-- input { empty([0]f64) empty([0][2]f64) [[1.0, 0.5], [-2.0, 1.5]] [0.25, -0.5] }
-- output { [[0.0, 0.0], [0.0, 0.0]] [0.0, 0.0] }
-- input { [1.0, 2.0] empty([2][0]f64) empty([0][0]f64) empty([0]f64) }
-- output { empty([0][0]f64) empty([0]f64) }
-- random input { [300]f64 [300][5]f64 [5][5]f64 [5]f64 }
-- auto output
entry gradient [n] [p] [d] (ws: [n]f64) (zs: [n][d]f64) (q: [p][d]f64) (mean: [d]f64) : ([p][d]f64, [d]f64) =
  vjp (\(q, mean) -> spread ws zs q mean) (q, mean) 1

-- The derivative in a direction, by forward mode and from the gradient.
-- ==
-- entry: both_modes
-- random input { [40]f64 [40][3]f64 [4][3]f64 [3]f64 [4][3]f64 [3]f64 }
-- auto output
-- random input { [1]f64 [1][17]f64 [2][17]f64 [17]f64 [2][17]f64 [17]f64 }
-- auto output
entry both_modes [n] [p] [d] (ws: [n]f64) (zs: [n][d]f64) (q: [p][d]f64) (mean: [d]f64) (q_tan: [p][d]f64) (mean_tan: [d]f64)
    : (f64, bool) =
  let (q_adj, mean_adj) = gradient ws zs q mean
  let forward = jvp (\(q, mean) -> spread ws zs q mean) (q, mean) (q_tan, mean_tan)
  let reverse = f64.sum (map2 dot q_adj q_tan) + dot mean_adj mean_tan
  let size = f64.sum (map2 (\w z -> f64.abs w * (1 + norm q z)) ws zs)
  in (forward, f64.abs (forward - reverse) <= 1e-9 * (1 + size))

-- A matrix for each component, and weights that depend on the point.
-- ==
-- entry: components
-- random input { [70][3]f64 [2][3][3]f64 [2][3]f64 }
-- auto output
-- random input { [1][1]f64 [3][1][1]f64 [3][1]f64 }
-- auto output
-- random input { [0][2]f64 [3][2][2]f64 [3][2]f64 }
-- auto output
-- random input { [5][2]f64 [0][2][2]f64 [0][2]f64 }
-- auto output
entry components [n] [k] [d] (zs: [n][d]f64) (qs: [k][d][d]f64) (means: [k][d]f64) : ([k][d][d]f64, [k][d]f64) =
  vjp (\(qs, means) ->
         f64.sum (map (\z -> f64.log (1 + f64.sum (map2 (\q mean -> norm q (map2 (-) z mean)) qs means))) zs))
      (qs, means)
      1

-- In single precision, with a sign and constants; nothing cancels.
-- ==
-- entry: single
-- random input { [60]f32 [60][4]f32 [4][4]f32 }
-- auto output
entry single [n] [d] (ws: [n]f32) (zs: [n][d]f32) (q: [d][d]f32) : [d][d]f32 =
  let norm q z = f32.sum (map (\row -> let y = f32.sum (map2 (*) row z) in y * y) q)
  let (ws, zs, q) = (map f32.abs ws, map (map f32.abs) zs, map (map f32.abs) q)
  in vjp (\q -> f32.sum (map2 (\w z -> -(3 * w * norm q z)) ws zs)) q 0.5

-- The matrix changes from step to step of a loop.
-- ==
-- entry: steps
-- random input { 3i64 [20][3]f64 [3][3]f64 }
-- auto output
entry steps [n] [d] (count: i64) (zs: [n][d]f64) (q: [d][d]f64) : [d][d]f64 =
  loop q for _i < count do
    let q_adj = vjp (\q -> f64.sum (map (norm q) zs)) q 1
    in map2 (map2 (\x x_adj -> x - 0.001 * x_adj)) q q_adj
