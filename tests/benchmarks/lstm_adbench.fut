-- A long short-term memory, of futhark-benchmarks: two layers, four steps, three features.
import "adbench/lstm"

entry objective (main_params: [4][4 * 3]f64) (extra_params: [3][3]f64) (state: [4][3]f64) (sequence: [4][3]f64) : f64 =
  calculate_objective main_params extra_params state sequence

def numbers (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 (3 * i + 1)))

-- ==
-- entry: own_gradient
-- input { }
-- output { true }
entry own_gradient : bool =
  let main_params = unflatten (numbers (4 * (4 * 3))) :> [4][4 * 3]f64
  let extra_params = unflatten (numbers (3 * 3)) :> [3][3]f64
  let state = unflatten (numbers (4 * 3)) :> [4][3]f64
  let sequence = map (map f64.cos) state
  let gradient = sized (4 * (4 * 3) + 3 * 3) (calculate_jacobian main_params extra_params state sequence)
  let along = jvp (\(m, e) -> objective m e state sequence) (main_params, extra_params) (main_params, extra_params)
  let sum = f64.sum (map2 (*) gradient (flatten main_params ++ flatten extra_params))
  in f64.abs (along - sum) <= 1e-10 * f64.abs along
