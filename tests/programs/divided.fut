-- Loops large enough to be divided among the workers of a CPU. Operators do not commute, and integers have one right answer.

-- | Linear functions x -> a x + b, one after the other.
def compose (a: u32, b: u32) (c: u32, d: u32) : (u32, u32) = (a * c, b * c + d)

def coefficients (n: i64) : [n](u32, u32) =
  tabulate n (\i -> (2 * u32.i64 i + 3, u32.i64 (i * i) ^ 5))

-- ==
-- entry: composed
-- input { 0i64 } output { 1u32 0u32 }
-- input { 1i64 } input { 2i64 } input { 10007i64 }
entry composed (n: i64) : (u32, u32) = reduce compose (1, 0) (coefficients n)

-- ==
-- entry: prefixes
-- input { 0i64 } input { 1i64 } input { 63i64 } input { 64i64 } input { 65i64 } input { 10007i64 }
entry prefixes (n: i64) : ([n]u32, [n]u32) = unzip (scan compose (1, 0) (coefficients n))

-- | Products of 2 by 2 matrices, as rows.
-- ==
-- entry: matrices
-- input { 0i64 } output { [1u32, 0u32, 0u32, 1u32] }
-- input { 1i64 } input { 5000i64 }
entry matrices (n: i64) : [4]u32 =
  let product (x: [4]u32) (y: [4]u32) =
    [ x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3]
    , x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3] ]
  in reduce product [1, 0, 0, 1] (tabulate n (\i -> let k = u32.i64 i in [k + 1, 2, k ^ 9, 2 * k + 1]))

-- | The largest value, where it is first, and how many there are: one sweep.
-- ==
-- entry: sweep
-- input { 1i64 } input { 64i64 } input { 20000i64 }
entry sweep (n: i64) : (i64, i64, i64, [n]i64) =
  let xs = map (\i -> (i * 7919) % 1009) (iota n)
  let later (x, i) (y, j) = if y > x || (y == x && j < i) then (y, j) else (x, i)
  let (largest, at) = reduce later (-1, i64.highest) (zip xs (iota n))
  in (largest, at, i64.sum (map (\x -> i64.bool (x == 1008)) xs), xs)

-- | Bins of linear functions; what is out of range is ignored.
-- ==
-- entry: bins
-- input { 0i64 3i64 } input { 1i64 1i64 } input { 20000i64 4i64 } input { 100i64 5000i64 } input { 20000i64 0i64 }
entry bins (n: i64) (m: i64) : ([m]u32, [m]u32) =
  let at = map (\i -> (i * i + 3 * i) % (m + 2) - 1) (iota n)
  let start = (replicate m 1u32, replicate m 7u32)
  in unzip (reduce_by_index (zip start.0 start.1) compose (1, 0) at (coefficients n))

-- ==
-- entry: bins_in_a_plane
-- input { 30000i64 2i64 3i64 }
entry bins_in_a_plane (n: i64) (m: i64) (k: i64) : [m][k]i64 =
  reduce_by_index_2d (replicate m (replicate k 1)) (+) 0 (map (\i -> (i % m, (i / 3) % (k + 1))) (iota n)) (iota n)

-- | Sums of rows.
-- ==
-- entry: sums_of_rows
-- input { 0i64 3i64 } input { 3000i64 5i64 } input { 3000i64 100i64 }
entry sums_of_rows (n: i64) (m: i64) : [m]i64 =
  reduce (map2 (+)) (replicate m 0) (tabulate_2d n m (\i j -> (i * 31 + j) % 17))

-- | Each point sorts a row of its own.
-- ==
-- entry: medians
-- input { 0i64 5i64 } input { 1i64 5i64 } input { 300i64 9i64 } input { 300i64 70i64 }
entry medians (n: i64) (m: i64) : [n]i64 =
  tabulate n (\i ->
    let row = tabulate m (\j -> (i * 37 + j * j * 11) % 101)
    let sorted =
      loop row for k < m do
        loop row for l < m - 1 - k do
          let (x, y) = (row[l], row[l + 1])
          let row[l] = i64.min x y
          let row[l + 1] = i64.max x y
          in row
    in sorted[m / 2])

-- | The adjoint of a table that all points read, at places that depend on data, twice.
-- ==
-- entry: table_adjoint
-- input { 20000i64 [0.5, -1.5, 2.0] } input { 1i64 [0.25, 3.0, 1.0] } input { 0i64 [1.0, 1.0] }
entry table_adjoint [m] (n: i64) (table: [m]f64) : [m]f64 =
  let cost (table: [m]f64) =
    f64.sum (map (\i -> let x = table[(i * 7) % m] in x * table[(i / 5) % m] + f64.sin x) (iota n))
  in vjp cost table 1

-- | A check fails in the last part.
-- ==
-- entry: failing
-- input { 20000i64 20000i64 }
-- input { 20000i64 19999i64 } error: out of bounds
entry failing (n: i64) (m: i64) : i64 =
  let xs = iota m
  in i64.sum (map (\i -> xs[i] * 3) (iota n))

-- | An operator that may fail, in parts and between them.
-- ==
-- entry: failing_operator
-- input { 20000i64 1i64 }
-- input { 20000i64 0i64 } error: division by zero
entry failing_operator (n: i64) (k: i64) : [n]i64 =
  scan (\x y -> (x + y) * k / k) 0 (iota n)
