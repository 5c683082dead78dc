-- Bundle adjustment, of futhark-benchmarks: two cameras, three points, four observations.
import "adbench/ba"

def observations : [4][2]i32 = [[0, 0], [1, 2], [0, 1], [1, 0]]

entry objective (cams: [2][11]f64) (points: [3][3]f64) (weights: [4]f64) (feats: [4][2]f64) : ([4][2]f64, [4]f64) =
  calculate_objective cams points weights observations feats

def numbers (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 (3 * i + 1)))

-- The benchmark's own sparse matrix has a block of two rows for each observation, and one row for each weight.
-- ==
-- entry: own_gradient
-- input { }
-- output { true }
entry own_gradient : bool =
  let cams = unflatten (numbers (2 * 11)) :> [2][11]f64
  let points = map (map f64.cos) (unflatten (numbers (3 * 3)) :> [3][3]f64)
  let weights = numbers 4
  let feats = unflatten (numbers (4 * 2)) :> [4][2]f64
  let (_, _, vals) = calculate_jacobian cams points weights observations feats
  let (errors, weight_errors) = objective cams points weights feats
  let seeds = (map (map (const 1)) errors, map (const 1) weight_errors)
  let (cams_adj, points_adj, weights_adj) =
    vjp (\(c, p, w) -> objective c p w feats) (cams, points, weights) seeds
  let sum = f64.sum (flatten cams_adj) + f64.sum (flatten points_adj) + f64.sum weights_adj
  in f64.abs (f64.sum vals - sum) <= 1e-10 * f64.sum (map f64.abs vals)
