-- Neutron cross-sections by interpolation, of futhark-ad-sc22: three isotopes, five energies, all three ways to find one.
import "sc22/xsbench/xsbench"

def num_nucs : [12]i32 = map (\i -> i32.i64 (i % 3)) (iota 12)
def mats : [12][2]i32 = map (\i -> [i32.i64 (i % 3), i32.i64 ((i + 1) % 3)]) (iota 12)
def energies : [5]f64 = [0, 0.2, 0.45, 0.7, 1]
def index_grid : [5][3]i32 = map (\i -> replicate 3 (i32.i64 i)) (iota 5)

def cross_sections (grid_type: i64) (concs: [12][2]f64) (grid: [3][5][5]f64) : [4][5]f64 =
  let nuclide_grid = map (map2 (\energy xs -> sized 6 ([energy] ++ xs)) energies) grid
  let (inputs, data) =
    unpack 3 5 grid_type 4 4 num_nucs concs mats nuclide_grid index_grid energies
  in map (\(a, b, c, d, e) -> [a, b, c, d, e]) (run_event_based_simulation 4 inputs data)

entry unionized (concs: [12][2]f64) (grid: [3][5][5]f64) : [4][5]f64 = cross_sections 0 concs grid
entry nuclide (concs: [12][2]f64) (grid: [3][5][5]f64) : [4][5]f64 = cross_sections 1 concs grid
entry hash (concs: [12][2]f64) (grid: [3][5][5]f64) : [4][5]f64 = cross_sections 2 concs grid

-- ==
-- entry: own_gradient
-- input { 0i64 }
-- output { true }
-- input { 1i64 }
-- output { true }
-- input { 2i64 }
-- output { true }
entry own_gradient (grid_type: i64) : bool =
  let numbers n = tabulate n (\i -> f64.sin (f64.i64 (3 * i + 1)))
  let concs = unflatten (numbers (12 * 2))
  let grid : [3][5][5]f64 = unflatten_3d (numbers (3 * 5 * 5))
  let nuclide_grid = map (map2 (\energy xs -> sized 6 ([energy] ++ xs)) energies) grid
  let gradient = calculate_jacobian 3 5 grid_type 4 4 num_nucs concs mats nuclide_grid index_grid energies
  let along = jvp (\g -> f64.sum (flatten (cross_sections grid_type concs g))) grid grid
  let sum = f64.sum (map2 (*) (flatten (map flatten grid)) (flatten (map flatten gradient[:, :, 1:]) :> [3 * (5 * 5)]f64))
  in f64.abs (along - sum) <= 1e-10 * f64.abs along
