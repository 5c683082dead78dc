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

-- The square of the sum of x[t] * (c z)[t].
def weighed [m] (c: [m][m]f64) (z: [m]f64) (x: [m]f64) : f64 =
  let y = f64.sum (map2 (\row xt -> xt * dot row z) c x)
  in y * y

-- The derivative of the sum of what points z with numbers come to, and the same by forward mode, direction by direction.
def by_both_modes [n] [m] (point: [m]f64 -> i64 -> [m]f64 -> f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64)
    : ([m]f64, [m]f64) =
  let all x = f64.sum (map2 (\z id -> point z id x) zs ids)
  in (vjp all x 1, tabulate m (\t -> jvp all x (tabulate m (\u -> f64.bool (t == u)))))

-- Points add to other elements of the same array, too: in a branch, in a loop, both.
-- ==
-- entry: with_branch
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1i64, 0i64] [1.0, 2.0] }
-- output { [70.0, 65.0] [70.0, 65.0] }
entry with_branch [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> weighed c z x + (if z[0] > 0 then x[id] * z[1] else 0)) zs ids x

-- ==
-- entry: with_loop
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1i64, 0i64] [1.0, 2.0] }
-- output { [71.0, 63.0] [71.0, 63.0] }
entry with_loop [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> weighed c z x + (loop s = 1 for i < id do s * x[i])) zs ids x

-- ==
-- entry: with_both
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1i64, 0i64] [1.0, 2.0] }
-- output { [238.0, 175.0] [238.0, 175.0] }
entry with_both [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> weighed c z x * (if z[0] > 0 then (loop s = z[1] for i < id do s * x[i]) else x[1])) zs ids x

-- A point is as many as its number says, with factors or rows of their own.
-- ==
-- entry: repeated
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [2i64, 1i64] [1.0, 2.0] }
-- output { [350.0, 119.0] [350.0, 119.0] }
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [0i64, 0i64] [1.0, 2.0] }
-- output { [0.0, 0.0] [0.0, 0.0] }
entry repeated [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> f64.sum (map (\s -> weighed c (map (* f64.i64 (s + 1)) z) x) (iota id))) zs ids x

-- ==
-- entry: choosing
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [2i64, 1i64] [1.0, 2.0] }
-- output { [98.0, 98.0] [98.0, 98.0] }
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [0i64, 0i64] [1.0, 2.0] }
-- output { [0.0, 0.0] [0.0, 0.0] }
entry choosing [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> f64.sum (map (\s -> weighed c (map2 (*) z zs[s]) x) (iota id))) zs ids x

-- An element that a point chooses, of a row that it adds up.
-- ==
-- entry: chosen
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1i64, 0i64] [1.0, 2.0] }
-- output { [-3.0, -6.0] [-3.0, -6.0] }
entry chosen [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x -> dot x c[0] * #[unsafe] (vjp (norm c) z 1)[id]) zs ids x

-- A row that a point's reduction picks.
-- ==
-- entry: picked
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] [1i64, 2i64] [1.0, 2.0] }
-- output { [462.0, 700.0] [462.0, 700.0] }
entry picked [n] [m] (c: [m][m]f64) (zs: [n][m]f64) (ids: [n]i64) (x: [m]f64) : ([m]f64, [m]f64) =
  by_both_modes (\z id x ->
                   let least (a, p) (b, q) = (f64.min a b, map2 (\u v -> if a < b then u else v) p q)
                   let (_, row) = reduce_comm least (f64.inf, replicate m 0) (map (\row -> (row[0] * z[0], row)) c)
                   in f64.i64 id * weighed c (map2 (*) row z) x)
                zs ids x
