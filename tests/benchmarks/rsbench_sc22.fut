-- Neutron cross-sections from poles, of futhark-ad-sc22: two nuclides, three poles and two windows each, with and without Doppler broadening.
import "sc22/rsbench/rsbench"

def n_windows : [2]i32 = [2, 2]
def l_values : [2][3]i16 = [[0, 1, 2], [3, 2, 1]]
def bounds : [2][2][2]i32 = [[[0, 2], [1, 3]], [[0, 3], [2, 3]]]
def num_nucs : [12]i32 = map (\i -> i32.i64 (1 + i % 2)) (iota 12)
def mats : [12][2]i32 = map (\i -> [i32.i64 (i % 2), i32.i64 ((i + 1) % 2)]) (iota 12)

def cross_sections (doppler: i32) (poles: [2][3][4][2]f64) (windows: [2][2][3]f64) (factors: [2][4]f64)
                   (concs: [12][2]f64) : [3][4]f64 =
  let (input, data) =
    unpack 3 doppler n_windows l_values poles windows bounds factors num_nucs mats concs
  in map (\(a, b, c, d) -> [a, b, c, d]) (run_event_based_simulation 3 input.doppler data)

-- Poles lie away from the energies, which are between 0 and 1; those of the second way lie far away.
def away (poles: [2][3][4][2]f64) : [2][3][4][2]f64 = map (map (map (map (+ 3)))) poles

entry plain (poles: [2][3][4][2]f64) (windows: [2][2][3]f64) (factors: [2][4]f64) (concs: [12][2]f64) : [3][4]f64 =
  cross_sections 0 (away poles) windows factors concs
entry doppler (poles: [2][3][4][2]f64) (windows: [2][2][3]f64) (factors: [2][4]f64) (concs: [12][2]f64) : [3][4]f64 =
  cross_sections 1 (away poles) windows factors concs
entry doppler_far (poles: [2][3][4][2]f64) (windows: [2][2][3]f64) (factors: [2][4]f64) (concs: [12][2]f64) : [3][4]f64 =
  cross_sections 1 (map (map (map (map (+ 12)))) (away poles)) windows factors concs

-- ==
-- entry: own_gradient
-- input { 0i32 }
-- output { true }
-- input { 1i32 }
-- output { true }
entry own_gradient (doppler: i32) : bool =
  let numbers n = tabulate n (\i -> f64.sin (f64.i64 (3 * i + 1)))
  let poles : [2][3][4][2]f64 = away (map unflatten_3d (unflatten (numbers (2 * (3 * 4 * 2)))))
  let windows : [2][2][3]f64 = unflatten_3d (numbers (2 * 2 * 3))
  let factors : [2][4]f64 = unflatten (numbers (2 * 4))
  let concs : [12][2]f64 = unflatten (numbers (12 * 2))
  let gradient =
    calculate_jacobian 3 doppler n_windows l_values poles windows bounds factors num_nucs mats concs
  let along = jvp (\p -> f64.sum (flatten (cross_sections doppler p windows factors concs))) poles poles
  let dot (x: rs_complex) (y: [2]f64) = x.r * y[0] + x.i * y[1]
  let sum = f64.sum (map2 (\p (g: pole) -> dot g.mp_ea p[0] + dot g.mp_rt p[1] + dot g.mp_ra p[2] + dot g.mp_rf p[3])
                          (flatten poles) (flatten gradient :> [2 * 3]pole))
  in f64.abs (along - sum) <= 1e-10 * f64.abs along
