-- Literals of arrays, of which some rows have equal elements: they are parts of a table like the others.

def offsets : [4][3]i64 = [[0, 0, 0], [0, 1, 0], [2, 2, 2], [-1, 0, 3]]

-- ==
-- entry: sums
-- input { [1i64, 10i64, 100i64] } output { [0i64, 10i64, 222i64, 299i64] }
entry sums (weights: [3]i64) : [4]i64 = map (\row -> i64.sum (map2 (*) row weights)) offsets

-- | Rows of which each is like that, floats, and one that nobody says.
-- ==
-- entry: rows
-- input { 1i64 0.5 } output { [1.0, 1.0] [3.0, 3.0] [0.5, 0.5] }
entry rows (i: i64) (x: f64) : ([2]f64, [2]f64, [2]f64) =
  ([[0.0, 0.0], [1, 1]][i], map (+ 1) [[1, 1], [2.0, 2]][i], [[3, 3], [x, x]][i])

-- | Some matrices, and an update of what was a literal.
-- ==
-- entry: matrices
-- input { 1i64 } output { [[0i32, 0i32], [3i32, 4i32]] [[0i32, 7i32], [1i32, 2i32]] }
entry matrices (i: i64) : ([2][2]i32, [2][2]i32) =
  ([[[1, 2], [0, 0]], [[0, 0], [3, 4]]][i], copy [[0, 0], [1, 2]] with [0, 1] = 7)
