-- Sizes that are negative fail, in derivatives as in what they differentiate.

def total (n: i64) (x: f64) : f64 = f64.sum (replicate (n - 3) x)

-- ==
-- entry: main
-- input { 5i64 2f64 } output { 4f64 }
-- input { 3i64 2f64 } output { 0f64 }
-- input { 1i64 2f64 } error: .
entry main (n: i64) (x: f64) : f64 = total n x

-- ==
-- entry: total_vjp
-- input { 5i64 2f64 } output { 4f64 2f64 }
-- input { 3i64 2f64 } output { 0f64 0f64 }
-- input { 1i64 2f64 } error: .
entry total_vjp (n: i64) (x: f64) : (f64, f64) = vjp2 (total n) x 1

-- ==
-- entry: totals_vjp
-- input { [5i64, 4i64] 2f64 [1f64, 10f64] } output { 12f64 }
-- input { [5i64, 1i64] 2f64 [1f64, 10f64] } error: .
entry totals_vjp [k] (ns: [k]i64) (x: f64) (seed: [k]f64) : f64 = vjp (\x -> map (\n -> total n x) ns) x seed

-- | Rows of a negative size fail where they are made.
-- ==
-- entry: rows
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
-- input { 2i64 -1i64 } error: .
-- input { -2i64 3i64 } error: .
entry rows (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m (+)

-- ==
-- entry: blocks
-- input { 1i64 2i64 2i64 } output { [[[0i64, 0i64], [0i64, 1i64]]] }
-- input { 2i64 -1i64 3i64 } error: .
-- input { 2i64 3i64 -1i64 } error: .
entry blocks (n: i64) (m: i64) (k: i64) : [n][m][k]i64 = tabulate_3d n m k (\i j l -> i + j * l)

-- ==
-- entry: rows_vjp
-- input { [3i64, 1i64] 5f64 } output { 21f64 }
-- input { [3i64, -1i64] 5f64 } error: .
entry rows_vjp (ms: []i64) (x: f64) : f64 =
  vjp (\x -> f64.sum (map (\m -> f64.sum (flatten (tabulate_2d 3 m (\i j -> x * f64.i64 (i + j))))) ms)) x 1
