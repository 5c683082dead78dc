-- A fluid on a lattice, of futhark-ad-sc22, for any number of steps. Random flags mean that every cell is fluid.
import "sc22/lbm/lbm"

entry primal [s] (steps: i32) (cells: *[s]f32) : *[s]f32 = lbm cells steps
entry gradient [s] (steps: i32) (cells: *[s]f32) : *[s]f32 = vjp (\cells -> lbm cells steps) cells (replicate s 1)
