-- RSBench, of futhark-ad-sc22, with Doppler broadening: about one pole in two hundred lies so near that it takes the long way.
import "sc22/rsbench/rsbench"

-- How many nuclides each of the twelve materials has.
def num_nucs (_: i64) : [12]i32 =
  tabulate 12 (\m -> if m == 0 then 34 else if m < 4 then 4 else if m == 4 then 27 else if m < 10 then 21 else 9) |> opaque

def materials (isotopes: i64) : [12][34]i32 = tabulate_2d 12 34 (\m j -> i32.i64 ((m * 7 + j * 2) % isotopes)) |> opaque

-- | Where a window's poles begin and end: eight to ten of them.
def bounds (isotopes: i64) (windows: i64) : [isotopes][windows][2]i32 =
  tabulate_2d isotopes windows (\i w -> [i32.i64 (w * 9), i32.i64 (w * 9 + 8 + (i + w) % 3)]) |> opaque

-- | Spread over the plane as far as in the benchmark.
def spread [i] [p] (poles: [i][p][4][2]f64) : [i][p][4][2]f64 = map (map (map (map (* 152)))) poles |> opaque

entry primal [i] [p] [w] (lookups: i64) (ls: [i][p]i16) (poles: [i][p][4][2]f64) (windows: [i][w][3]f64) (factors: [i][4]f64)
                         (concs: [12][34]f64) =
  calculate_objective lookups 1 (replicate i (i32.i64 w)) ls (spread poles) windows (bounds i w) factors (num_nucs lookups) (materials i) concs
entry gradient [i] [p] [w] (lookups: i64) (ls: [i][p]i16) (poles: [i][p][4][2]f64) (windows: [i][w][3]f64) (factors: [i][4]f64)
                           (concs: [12][34]f64) =
  calculate_jacobian lookups 1 (replicate i (i32.i64 w)) ls (spread poles) windows (bounds i w) factors (num_nucs lookups) (materials i) concs
