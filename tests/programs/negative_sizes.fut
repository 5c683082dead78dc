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
