-- XSBench, of futhark-ad-sc22, on a small table whose shape is that of the benchmark: one row of indices for each energy.
import "sc22/xsbench/xsbench"

-- How many nuclides each of the twelve materials has.
def num_nucs (_: i64) : [12]i32 =
  tabulate 12 (\m -> if m == 0 then 34 else if m < 4 then 4 else if m == 4 then 27 else if m < 10 then 21 else 9) |> opaque

-- | Row e points where energy e / n lies in each nuclide's own grid, give or take a little.
def index_grid (n: i64) (isotopes: i64) (points: i64) : [n][isotopes]i32 =
  tabulate_2d n isotopes (\e i -> i32.i64 (i64.min (points - 2) (e * (points - 1) / n + (e * 7 + i * 13) % 2))) |> opaque

def materials (isotopes: i64) : [12][34]i32 = tabulate_2d 12 34 (\m j -> i32.i64 ((m * 7 + j * 2) % isotopes)) |> opaque

entry primal [isotopes] [points] [n] (lookups: i64) (concs: [12][34]f64) (grid: [isotopes][points][6]f64) (_: [n]f64) =
  calculate_objective isotopes points 0 0 lookups (num_nucs lookups) concs (materials isotopes) grid (index_grid n isotopes points)
                      (map (\e -> f64.i64 e / f64.i64 n) (iota n) |> opaque)
entry gradient [isotopes] [points] [n] (lookups: i64) (concs: [12][34]f64) (grid: [isotopes][points][6]f64) (_: [n]f64) =
  calculate_jacobian isotopes points 0 0 lookups (num_nucs lookups) concs (materials isotopes) grid (index_grid n isotopes points)
                     (map (\e -> f64.i64 e / f64.i64 n) (iota n) |> opaque)
