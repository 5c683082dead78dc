-- A fluid on a lattice, of futhark-ad-sc22: two by two by three cells, two steps. Cells are fluid, accelerate, or are obstacles.
import "sc22/lbm/lbm"

def flag (i: i64) : f32 = if i % 5 == 0 then OBSTACLE else if i % 7 == 3 then ACCEL else FLUID

-- The flag is the last of the 20 entries of a cell; densities are positive.
def grid (rhos: [19][TOTAL_PADDED_CELLS]f32) : []f32 =
  flatten (map (map (\rho -> 1 + 0.1 * rho)) rhos) ++ map flag (iota TOTAL_PADDED_CELLS)

entry objective (rhos: [19][28]f32) : []f32 = lbm (grid (rhos :> [19][TOTAL_PADDED_CELLS]f32)) 2

def numbers (n: i64) : [n]f32 = tabulate n (\i -> f32.sin (f32.i64 (3 * i + 1)))

-- ==
-- entry: own_gradient
-- input { }
-- output { true }
entry own_gradient : bool =
  let cells = copy (grid (unflatten (numbers (19 * TOTAL_PADDED_CELLS))))
  let gradient = calculate_jacobian (copy cells)
  let forward = jvp (\cells -> f32.sum (lbm (copy cells) 100)) cells
  in and (map (\i -> let seed = map (\j -> f32.bool (i == j)) (indices cells)
                     in f32.abs (gradient[i] - forward seed) <= 1e-2) [3, 31, 100, 200, 300])
