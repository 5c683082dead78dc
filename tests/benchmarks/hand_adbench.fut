-- Hand tracking, of futhark-benchmarks: a hand of two bones and three vertices, both with and without the parameters u.
import "adbench/hand"

def numbers (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 (3 * i + 1)))

def parents : [2]i32 = [-1, 0]
def triangles : [2][3]i32 = [[0, 1, 2], [2, 0, 1]]
def correspondences : [4]i32 = [0, 1, 1, 0]
def relatives : [2][4][4]f64 = unflatten_3d (numbers (2 * 4 * 4))
def inverses : [2][4][4]f64 = map (map (map f64.cos)) relatives
def weights : [2][3]f64 = unflatten (numbers (2 * 3))
def base_positions : [4][3]f64 = unflatten (numbers (4 * 3))
def points : [3][4]f64 = unflatten (numbers (3 * 4))

entry objective (theta: [theta_count]f64) : [4][3]f64 =
  copy (calculate_objective parents relatives inverses weights base_positions triangles false correspondences points theta [])
entry objective_complicated (theta: [theta_count]f64) (us: [8]f64) : [4][3]f64 =
  copy (calculate_objective parents relatives inverses weights base_positions triangles true correspondences points theta us)

-- ==
-- entry: own_gradient own_gradient_complicated
-- input { }
-- output { true }
entry own_gradient : bool =
  let jacobian =
    calculate_jacobian parents relatives inverses weights base_positions triangles false correspondences points
                       (numbers theta_count) []
  let seeds = tabulate 26 (\i -> replicate theta_count 0 with [i] = 1)
  let expected = map (\seed -> flatten (jvp objective (numbers theta_count) seed)) seeds
  in and (map2 (\x y -> f64.abs (x - y) <= 1e-10) (flatten (jacobian :> [26][12]f64)) (flatten (expected :> [26][12]f64)))

entry own_gradient_complicated : bool =
  let jacobian =
    calculate_jacobian parents relatives inverses weights base_positions triangles true correspondences points
                       (numbers theta_count) (numbers 8)
  let derivative (theta', us') =
    flatten (jvp (uncurry objective_complicated) (numbers theta_count, numbers 8) (theta', us')) :> [12]f64
  let every k = tabulate 8 (\i -> f64.bool (i % 2 == k))
  let expected =
    [derivative (replicate theta_count 0, every 0), derivative (replicate theta_count 0, every 1)]
    ++ tabulate 26 (\i -> derivative (replicate theta_count 0 with [i] = 1, replicate 8 0))
  in and (map2 (\x y -> f64.abs (x - y) <= 1e-10)
               (flatten (jacobian :> [28][12]f64)) (flatten (expected :> [28][12]f64)))
