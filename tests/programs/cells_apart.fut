-- Adjoints to which points add at places that are shifted, stretched or turned around. Where no two points add to the same cell, threads
-- need no atomic additions (transform/parallel/flatten/cells_apart.hpp); where they do, they must not go without. Each entry says whether
-- reverse mode agrees with forward mode.

def small (i: i64) : f64 = 0.25 * f64.i64 (i % 5 - 1)

def agrees [n] [m] (f: [n]f64 -> [m]f64) : bool =
  let (xs, seeds) = (tabulate n small, tabulate m (\i -> small (i + 3)))
  let gradient = vjp f xs seeds
  let slopes = tabulate n (\i -> f64.sum (map2 (*) seeds (jvp f xs (tabulate n (\j -> f64.bool (i == j))))))
  in and (map2 (\x y -> f64.abs (x - y) <= 1e-9) gradient slopes)

def agrees_2d (n: i64) (m: i64) (f: [n][m]f64 -> [n][m]f64) : bool =
  let (xss, seeds) = (tabulate_2d n m (\i j -> small (2 * i + j)), tabulate_2d n m (\i j -> small (i + 3 * j)))
  let gradient = vjp f xss seeds
  let slope i j =
    let tangents = jvp f xss (tabulate_2d n m (\k l -> f64.bool (i == k && j == l)))
    in f64.sum (map2 (\ss ts -> f64.sum (map2 (*) ss ts)) seeds tangents)
  in and (tabulate n (\i -> and (tabulate m (\j -> f64.abs (gradient[i, j] - slope i j) <= 1e-9))))

def guarded [n] (xs: [n]f64) (i: i64) : f64 = if 0 <= i && i < n then f64.sin xs[i] else 1

-- ==
-- entry: shifted backwards by_two ends margin
-- input { 7i64 } output { true }
-- input { 300i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry shifted (n: i64) : bool = agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i - 3)))

entry backwards (n: i64) : bool = agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (n - 1 - 2 * i)))

-- | Neighbours meet.
entry by_two (n: i64) : bool = agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i - 1) * guarded xs (i + 1) * guarded xs (i + 2)))

-- | Points of both ends meet.
entry ends (n: i64) : bool = agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i + 1) * guarded xs (n - 1 - i)))

-- | Points of different branches meet.
entry margin (n: i64) : bool =
  agrees (\(xs: [n]f64) -> tabulate n (\i -> if i < 3 then guarded xs (4 - i) else f64.cos (guarded xs (i - 2))))

-- | As in a fluid on a lattice: what is at the margin stays, and elsewhere rows move.
def moved [n] (os: [3]i64) (xss: [3][n]f64) : [3][n]f64 =
  tabulate n (\i ->
    if i < 3 || n - 3 <= i then xss[:, i]
    else let places = map (+ i) os
         let rhos = map2 (\j p -> xss[j, p]) (iota 3) places
         let (x, y, z) = (rhos[0], rhos[1], rhos[2])
         in if x == 0.5 then [z, y, x] else [x * y, y + z * z, f64.cos (x + y) * z])
  |> transpose

-- ==
-- entry: margins
-- input { 7i64 } output { true }
-- input { 100i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry margins (n: i64) : bool =
  agrees (\(xs: [3 * n]f64) -> flatten (moved [0, 2, -1] (moved [-3, 1, 0] (unflatten xs))))

-- ==
-- entry: strides halves flat overlapping
-- input { 4i64 3i64 } output { true }
-- input { 300i64 2i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 3i64 } output { true }
entry strides (n: i64) (k: i64) : bool =
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (3 * i) * guarded xs (3 * i + 1) * guarded xs (3 * i - 1))) &&
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (3 * i) * guarded xs (3 * i + k)))

entry halves (n: i64) (k: i64) : bool =
  agrees (\(xs: [2 * n]f64) -> tabulate n (\i -> guarded xs i * guarded xs (n + i))) &&
  agrees (\(xs: [2 * n]f64) -> tabulate n (\i -> guarded xs i * guarded xs (n + i - k)))

-- | Rows one after the other, and some that have elements in common.
entry flat (n: i64) (k: i64) : bool = agrees (\(xs: [n * k]f64) -> flatten (tabulate_2d n k (\i j -> guarded xs (i * k + j))))

entry overlapping (n: i64) (k: i64) : bool = agrees (\(xs: [n * k]f64) -> flatten (tabulate_2d n k (\i j -> guarded xs (2 * i + j))))

-- | Stencils of two dimensions, by one place and by several.
-- ==
-- entry: stencil
-- input { 4i64 3i64 } output { true }
-- input { 17i64 9i64 } output { true }
entry stencil (n: i64) (m: i64) : bool =
  agrees_2d n m (\xss -> tabulate_2d n m (\i j -> if 0 < i && j < m - 1 then f64.sin xss[i - 1, j + 1] else 1)) &&
  agrees_2d n m (\xss -> tabulate_2d n m (\i j -> if 0 < i && j < m - 1 then xss[i - 1, j] * xss[i, j + 1] else 1))

-- | Places that follow from data, and steps that are so large that they come around to the first cell.
-- ==
-- entry: others
-- input { 5i64 1i64 } output { true }
-- input { 300i64 0i64 } output { true }
entry others (n: i64) (k: i64) : bool =
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i * 4611686018427387904))) &&
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i * k))) &&
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs ((i * 7) % 3))) &&
  agrees (\(xs: [n]f64) -> tabulate n (\i -> loop y = 1 for j < 3 do y * guarded xs (i + j))) &&
  agrees (\(xs: [n]f64) -> tabulate n (\i -> guarded xs (i64.max 0 (i - k))))

def packed_agrees (n: i64) (m: i64) (f: [m]f64 -> [n][n]f64) : bool = agrees (\(xs: [m]f64) -> flatten (f xs))

-- | Triangles that are packed by rows, and by columns behind the diagonal: every cell is read once.
-- ==
-- entry: packed_rows packed_columns packed_too_tightly
-- input { 5i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
-- input { 12i64 } output { true }
entry packed_rows (n: i64) : bool =
  packed_agrees n (n * (n + 1) / 2) (\xs -> tabulate_2d n n (\i j -> if j <= i then f64.sin xs[i * (i + 1) / 2 + j] else 1))

entry packed_columns (n: i64) : bool =
  packed_agrees n (n * (n + 1) / 2)
                (\xs -> tabulate_2d n n (\i j -> if i < j then 0 else if i == j then f64.exp xs[i] else xs[n + j * (2 * n - j - 1) / 2 + i - j - 1]))

-- | Each column ends where the next one begins.
entry packed_too_tightly (n: i64) : bool =
  packed_agrees n (n * (n + 1) / 2)
                (\xs -> tabulate_2d n n (\i j -> if i <= j then 0 else f64.sin xs[i64.max 0 (j * (2 * n - j - 3) / 2 + i - j)]))
