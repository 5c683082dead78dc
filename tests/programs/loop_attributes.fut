-- What attributes say of loops, reverse mode makes use of: at most so many iterations, no false dependences.

def power (n: i64) (x: f64) : f64 =
  (#[bound(20)] loop (i, y) = (0, 1) while i < n do (i + 1, y * x)).1

-- ==
-- entry: bounded
-- input { 3i64 4f64 } output { 48f64 }
-- input { 20i64 1f64 } output { 20f64 }
-- input { 0i64 4f64 } output { 0f64 }
entry bounded (n: i64) (x: f64) : f64 = vjp (power n) x 1

-- | In each thread, a loop of another length.
-- ==
-- entry: bounded_in_map
-- input { [0.75f64, 3f64, 20f64, 1f64] [1f64, 2f64, 3f64, 4f64] } output { [1367.897576354321f64, 41382.0f64, 120.0f64, 278850.12890625f64] }
entry bounded_in_map [n] (xs: [n]f64) (seeds: [n]f64) : [n]f64 =
  vjp (map (\x -> #[bound(8)] loop y = x while y < 100 do y * y + 0.5)) xs seeds

-- | Strip-mined, over an array that each step replaces in part.
-- ==
-- entry: bounded_update
-- input { 5i64 [1.5f64, 0.5f64, 2f64] [1f64, 1f64, 1f64] } output { [2.5f64, 12.0f64, 2.625f64] }
-- input { 0i64 [1.5f64, 0.5f64, 2f64] [1f64, 2f64, 3f64] } output { [1f64, 2f64, 3f64] }
entry bounded_update [n] (steps: i64) (xs: [n]f64) (seeds: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) ->
         (#[bound(9)] #[stripmine(2)]
          loop (ys, i) = (copy xs, 0) while i < steps && ys[i % n] < 1e3 do
            (ys with [i % n] = ys[i % n] * ys[(i + 1) % n], i + 1)).0)
      xs seeds

def recurrence [n] (xs: [n]f64) : [n]f64 =
  loop #[true_dep] ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] * xs[i + 1]

-- ==
-- entry: true_dep
-- input { [1.5f64, 0.5f64, 2f64, 0.25f64] [1f64, 2f64, 3f64, 4f64] } output { [58.421875f64, 86.1328125f64, 10.2041015625f64, 25.62890625f64] }
-- input { [1.5f64] [2f64] } output { [2f64] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
entry true_dep [n] (xs: [n]f64) (seeds: [n]f64) : [n]f64 = vjp recurrence xs seeds

-- | Each cell from its neighbours above and to the left, as in alignments.
def table [n] [m] (xss: [n][m]f64) : [n][m]f64 =
  loop #[true_dep] yss = copy xss for i < n - 1 do
    loop yss for j < m - 1 do yss with [i + 1, j + 1] = yss[i, j + 1] * yss[i + 1, j] + xss[i + 1, j + 1]

-- ==
-- entry: true_dep_table
-- input { [[1.5f64, 0.5f64, 2f64], [0.25f64, 3f64, 1f64]] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[1.0f64, 6.25f64, 21.75f64], [12.5f64, 17.0f64, 6.0f64]] }
entry true_dep_table [n] [m] (xss: [n][m]f64) (seeds: [n][m]f64) : [n][m]f64 = vjp table xss seeds

-- | A loop that takes more iterations than its bound says has no derivative, rather than a wrong one.
-- ==
-- entry: beyond_bound
-- input { 20i64 2f64 } output { 1048576f64 }
-- input { 21i64 2f64 } error: .
entry beyond_bound (n: i64) (x: f64) : f64 = vjp (power n) x 1 * x / f64.i64 n
