-- What all points multiply by the same is added up first, and multiplied once. Each derivative also in forward mode, one direction at a
-- time, where there is no accumulator to add to.

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

-- ==
-- entry: both_modes_agree
-- random input { [40]f64 [40][3]f64 [4][3]f64 [3]f64 }
-- output { true }
-- random input { [1]f64 [1][17]f64 [2][17]f64 [17]f64 }
-- output { true }
entry both_modes_agree [n] [p] [d] (ws: [n]f64) (zs: [n][d]f64) (q: [p][d]f64) (mean: [d]f64) : bool =
  let (q_adj, mean_adj) = gradient ws zs q mean
  let unit i = tabulate d (\j -> if i == j then 1 else 0)
  let q_tan = tabulate_2d p d (\t s ->
    jvp (\q -> spread ws zs q mean) q (tabulate_2d p d (\i j -> if i == t && j == s then 1 else 0)))
  let mean_tan = tabulate d (\s -> jvp (\mean -> spread ws zs q mean) mean (unit s))
  let close x y = f64.abs (x - y) <= 1e-9 * (1 + f64.abs y)
  in and (map2 close (flatten q_adj) (flatten q_tan)) && and (map2 close mean_adj mean_tan)

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

-- In single precision, and with a sign and constants.
-- ==
-- entry: single
-- random input { [60]f32 [60][4]f32 [4][4]f32 }
-- auto output
entry single [n] [d] (ws: [n]f32) (zs: [n][d]f32) (q: [d][d]f32) : [d][d]f32 =
  let norm q z = f32.sum (map (\row -> let y = f32.sum (map2 (*) row z) in y * y) q)
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
