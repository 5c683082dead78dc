-- A loop that updates an array in place; its derivative restores what was overwritten.

def smooth [n] (steps: i64) (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < steps do
    if n == 0 then ys
    else let j = i % n in ys with [j] = ys[j] * ys[(j + 1) % n]

entry run [n] (steps: i64) (xs: [n]f64) : [n]f64 = smooth steps xs

-- | [x0 x1, x1 (x0 x1)], seeded by [1, 1].
-- ==
-- entry: backward
-- input { 2i64 [2f64, 3f64] [1f64, 1f64] } output { [12f64, 14f64] }
-- input { 0i64 [2f64, 3f64] [1f64, 4f64] } output { [1f64, 4f64] }
-- input { -3i64 [2f64, 3f64] [1f64, 4f64] } output { [1f64, 4f64] }
entry backward [n] (steps: i64) (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (smooth steps) xs seed

entry forward [n] (steps: i64) (xs: [n]f64) (xs_tan: [n]f64) : [n]f64 = jvp (smooth steps) xs xs_tan
