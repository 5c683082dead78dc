-- A table between whose entries points interpolate, as simulations by Monte Carlo do. Points that come in the order of the cells that they lie in
-- read the same entries as their neighbours, and add to the same entries of the gradient: `#[reorder(cell)]`.

-- | The cell that x lies in, by binary search: the last of the edges that is not beyond it, and not the very last edge.
def search [n] (edges: [n]f64) (x: f64) : i32 =
  (loop (low, high) = (0, i32.i64 n - 1) while high - low > 1 do
     let middle = (low + high) / 2
     in if edges[middle] <= x then (middle, high) else (low, middle)).0

def interpolate [n] [m] (edges: [n]f64) (table: [n]f64) (xs: [m]f64) (weights: [m]f64) : [m]f64 =
  #[reorder(cell)] map2 (\x weight ->
    let cell = search edges x
    let t = (x - edges[cell]) / (edges[cell + 1] - edges[cell])
    in weight * (table[cell] * (1 - t) + table[cell + 1] * t)) xs weights

-- ==
-- entry: primal
-- input { [0f64, 1f64, 3f64, 4f64] [10f64, 20f64, 40f64, 0f64] [3.5f64, 0.5f64, 2f64, 0.25f64, 4f64, 1f64, 2f64] [1f64, 2f64, 1f64, 4f64, 1f64, 1f64, 3f64] }
-- output { [20f64, 30f64, 30f64, 50f64, 0f64, 20f64, 90f64] }
-- input { [0f64, 1f64] [10f64, 20f64] [0.5f64] [2f64] } output { [30f64] }
-- input { [0f64, 1f64] [10f64, 20f64] empty([0]f64) empty([0]f64) } output { empty([0]f64) }
entry primal [n] [m] (edges: [n]f64) (table: [n]f64) (xs: [m]f64) (weights: [m]f64) : [m]f64 = interpolate edges table xs weights

-- | With respect to the table, the places of the points and their weights.
-- ==
-- entry: gradient
-- input { [0f64, 1f64, 3f64, 4f64] [10f64, 20f64, 40f64, 0f64] [3.5f64, 0.5f64, 2f64, 0.25f64, 4f64, 1f64, 2f64] [1f64, 2f64, 1f64, 4f64, 1f64, 1f64, 3f64] }
-- output { [4f64, 5f64, 2.5f64, 1.5f64] [-40f64, 20f64, 10f64, 40f64, -40f64, 10f64, 30f64] [20f64, 15f64, 30f64, 12.5f64, 0f64, 20f64, 30f64] }
-- input { [0f64, 1f64] [10f64, 20f64] empty([0]f64) empty([0]f64) } output { [0f64, 0f64] empty([0]f64) empty([0]f64) }
entry gradient [n] [m] (edges: [n]f64) (table: [n]f64) (xs: [m]f64) (weights: [m]f64) : ([n]f64, [m]f64, [m]f64) =
  vjp (\(table, xs, weights) -> interpolate edges table xs weights) (table, xs, weights) (replicate m 1)

-- | In the direction of the first entry.
-- ==
-- entry: tangent
-- input { [0f64, 1f64, 3f64, 4f64] [10f64, 20f64, 40f64, 0f64] [3.5f64, 0.5f64, 2f64, 0.25f64, 4f64, 1f64, 2f64] [1f64, 2f64, 1f64, 4f64, 1f64, 1f64, 3f64] }
-- output { [0f64, 1f64, 0f64, 3f64, 0f64, 0f64, 0f64] }
entry tangent [n] [m] (edges: [n]f64) (table: [n]f64) (xs: [m]f64) (weights: [m]f64) : [m]f64 =
  jvp (\table -> interpolate edges table xs weights) table (replicate n 0 with [0] = 1)
