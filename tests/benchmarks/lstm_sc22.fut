-- A long short-term memory, of futhark-ad-sc22: two sequences of three steps, two features, two hidden units.
import "sc22/lstm/lstm"

entry objective (input: [3][2][2]f32) (target: [3][2][2]f32) (hidden: [2][2]f32) (cell: [2][2]f32)
                (wght_ih: [8][2]f32) (wght_hh: [8][2]f32) (bias_ih: [8]f32) (bias_hh: [8]f32)
                (wght_y: [2][2]f32) (bias_y: [2]f32) : f32 =
  calculate_objective input target hidden cell wght_ih wght_hh bias_ih bias_hh wght_y bias_y 1

def numbers (n: i64) : [n]f32 = tabulate n (\i -> f32.sin (f32.i64 (3 * i + 1)))

-- ==
-- entry: own_gradient
-- input { }
-- output { true }
entry own_gradient : bool =
  let input : [3][2][2]f32 = unflatten_3d (numbers (3 * 2 * 2))
  let target = map (map (map f32.cos)) input
  let (hidden, cell, wght_ih, wght_hh) =
    (unflatten (numbers (2 * 2)) :> [2][2]f32, unflatten (numbers (2 * 2)) :> [2][2]f32,
     unflatten (numbers (8 * 2)) :> [8][2]f32, unflatten (numbers (8 * 2)) :> [8][2]f32)
  let (bias, wght_y, bias_y) = (numbers 8, unflatten (numbers (2 * 2)) :> [2][2]f32, numbers 2)
  let (a, b, c, d, e, f) =
    calculate_jacobian input target hidden cell wght_ih wght_hh bias bias wght_y bias_y 1
  let weights = (wght_ih, wght_hh, bias, bias, wght_y, bias_y)
  let along = jvp (lstmObj input target hidden cell) weights weights
  let dot xs ys = f32.sum (map2 (*) xs ys)
  let sum = dot (flatten wght_ih) (flatten a) + dot (flatten wght_hh) (flatten b) + dot bias c + dot bias d
            + dot (flatten wght_y) (flatten e) + dot bias_y f
  in f32.abs (along - sum) <= 1e-5 * f32.abs along
