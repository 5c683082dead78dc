-- Loops of the host that go into the threads: inwards/columns.hpp.

-- nests: grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- input [[1i64, 2i64]] [1i64, 0i64]
-- input empty([0][2]i64) [1i64, 0i64]
-- input empty([3][0]i64) empty([0]i64)
entry row [n][b] (xss: [n][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for i < n do map2 (\x y -> 2 * x + y) row xss[i]

-- Each layer takes what the one before gave out.
-- nests: grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [[1i64, 2i64], [0i64, 3i64]]
-- input empty([0][2]i64) [[1i64, 2i64]]
-- input [[1i64, 2i64]] empty([0][2]i64)
-- input empty([3][0]i64) empty([1][0]i64)
entry layers [n][l][b] (xss: [n][b]i64) (state: [l][b]i64) : [l][b]i64 =
  loop state = copy state for s < n do
    (loop (state, x) = (state, xss[s]) for i < l do
       let y = map2 (\x y -> 2 * x + y) (copy state[i]) x
       in (state with [i] = y, y)).0

-- Rows of a constant number, a branch, a row of equal elements, and scalars of the loop.
-- nests: grid 1 store
-- loops: 0
-- input [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]] 5i64
-- input empty([2][0]i64) 5i64
-- input [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]] 0i64
-- input [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]] -1i64
entry branches [b] (state: [2][b]i64) (n: i64) : [2][b]i64 =
  (loop (state, k) = (copy state, 1) for i < n do
     let state = if i % 3 == 0 then state with [0] = map (+ k) (copy state[1]) else state with [1] = replicate b (i + k)
     in (state, 3 * k)).0

-- Another order of the dimensions; the last index is that of the row.
-- nests: grid 1 store
-- loops: 0
-- input [[[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]]] [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]]
entry two_indices [l][b] (xsss: [l][2][b]i64) (start: [2][b]i64) : [2][b]i64 =
  loop state = copy start for i < l do
    let state = state with [0] = map2 (-) (copy state[1]) xsss[i, 0]
    in state with [1] = map2 (*) (copy state[0]) xsss[i, 1]

-- What another loop kept for all elements, as it lies: seen in another order, all of a dimension is read at one index.
-- nests: grid 1 store store
-- loops: 0
-- input [1i64, 2i64, 3i64] [4i64, 5i64]
-- input [1i64, 2i64, 3i64] empty([0]i64)
-- input empty([0]i64) [2i64]
entry rows_of_another_loop [b][n] (row: [b]i64) (ks: [n]i64) : ([b]i64, [b]i64) =
  let (last, rows) =
    loop (row, rows) = (row, replicate n (replicate b 0)) for i < n do
      let row = map (\x -> 2 * x + ks[i]) row in (row, rows with [i] = row)
  in (last, loop sums = replicate b 0 for i < n do map2 (\s x -> 3 * s + x) sums rows[n - 1 - i])

-- A map that sees other elements than its own.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64, 3i64] 2i64
entry neighbours [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for _i < n do map (\j -> row[(j + 1) % b] + row[j]) (iota b)

-- The same of an array that stays as it is.
-- nests: grid 1 store
-- loops: 0
-- input [1i64, 2i64, 3i64] 2i64
entry others [b] (xs: [b]i64) (n: i64) : [b]i64 =
  loop row = copy xs for i < n do map2 (\x j -> xs[(j + i) % b] + 2 * x) row (iota b)

-- All elements come together.
-- nests: grid 1 reduce, grid 1 store
-- loops: 1
-- input [1i64, 2i64, 3i64] 2i64
entry together [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for _i < n do let total = i64.sum row in map (\x -> total - x) row

-- Without elements nobody would check the index.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64] 1i64
-- failing input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64] 2i64
-- failing input empty([3][0]i64) empty([0]i64) 2i64
entry checked [n][b] (xss: [n][b]i64) (row: [b]i64) (k: i64) : [b]i64 =
  loop row = row for i < 2 do map2 (\x y -> 2 * x + y) row xss[i + k]

-- Checks of a map are those of its elements.
-- nests: grid 1 store
-- loops: 0
-- input [1i64, 2i64] 3i64
-- failing input [1i64, 0i64] 3i64
-- input [1i64, 0i64] 0i64
-- input empty([0]i64) 3i64
entry checks_of_elements [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for i < n do map (\x -> (5 + i) / x + 1) row

-- A division of the loop is not done by elements that there may not be.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 3i64
-- failing input [1i64, 2i64] 0i64
-- failing input empty([0]i64) 0i64
entry checked_scalar [b] (row: [b]i64) (k: i64) : [b]i64 =
  loop row = row for i < 3 do let q = (i + 1) / k in map (+ q) row

-- A number that the loop carries is needed behind it.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 3i64
entry needed_scalar [b] (row: [b]i64) (n: i64) : ([b]i64, i64) =
  loop (row, k) = (row, 1) for i < n do (map (+ k) row, k * 2 + i)

-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 30i64
entry while_loop [b] (row: [b]i64) (n: i64) : [b]i64 =
  (loop (row, k) = (row, 1) while k < n do (map (+ k) row, k * 2)).0

-- Larger spaces than the row stay with as many threads.
-- nests: grid 2 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]] 3i64
entry matrices [m][b] (xss: [m][b]i64) (n: i64) : [m][b]i64 =
  loop xss = xss for i < n do map (map (+ i)) xss

-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] [3i64, 4i64, 5i64] 3i64
entry sums_inside [b][k] (row: [b]i64) (ys: [k]i64) (n: i64) : [b]i64 =
  loop row = row for i < n do map (\x -> i64.sum (map (\y -> x * y + i) ys)) row

-- Columns that are longer than the loop are not copied.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]] 1i64
entry long_columns [m][b] (xss: [m][b]i64) (n: i64) : [m][b]i64 =
  loop xss = copy xss for i < i64.min n m do xss with [0] = map (+ i) (copy xss[0])

-- A column for each of two loops.
-- nests: grid 1 store
-- loops: 0
-- input [1i64, 2i64] 3i64 2i64
-- input [1i64, 2i64] 0i64 2i64
entry logs [b] (row: [b]i64) (n: i64) (m: i64) : [n][m][b]i64 =
  (loop (log, row) = (replicate n (replicate m (replicate b 0)), row) for i < n do
     loop (log, row) = (log, row) for j < m do
       let row = map (\x -> 2 * x + i * j) row
       in (log with [i, j] = row, row)).0

-- One loop for both is not enough.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 3i64
entry square [b] (row: [b]i64) (n: i64) : [n][n][b]i64 =
  (loop (log, row) = (replicate n (replicate n (replicate b 0)), row) for i < n do
     let row = map (\x -> 2 * x + i) row
     in (log with [i, i] = row, row)).0

-- Only threads would know how large the arrays of their elements are.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 3i64
entry growing [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for i < n do
    map (\x -> (loop ys = replicate (i + 1) x for j < i do ys with [j + 1] = ys[j] * 2 + x)[i]) row

-- The columns of the rows would be those of the others.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]]
entry square_transposed [b] (xss: [b][b]i64) : [b][b]i64 =
  loop xss = xss for i < b do map (\row -> copy row with [0] = 2 * row[0] + i) (transpose xss)

-- One element is for all.
-- nests: grid 1 store
-- loops: 1
-- input [1i64, 2i64] 3i64
entry one_for_all [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for i < n do let y = #[unsafe] row[0] in map (\x -> 2 * x + y * i) row

-- Without elements nobody would check where the row goes.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]] 1i64
-- failing input [[1i64, 2i64], [3i64, 4i64]] 2i64
-- failing input empty([2][0]i64) 2i64
entry checked_update [b] (rows: [2][b]i64) (k: i64) : [2][b]i64 =
  loop rows = copy rows for i < 3 do rows with [k] = map (+ i) (copy rows[0])

-- In each step a long column would be copied, ...
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]]
entry copied_in_each_step [m][b] (rows: [m][b]i64) : [m][b]i64 =
  loop rows = copy rows for i < m do
    let before = copy rows
    let rows = rows with [i] = map (\x -> 3 * x + i) (copy rows[m - 1 - i])
    in rows with [m - 1 - i] = copy before[i]

-- ... or made.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64]]
entry made_in_each_step [m][b] (rows: [m][b]i64) : [m][b]i64 =
  loop rows = rows for i < m do
    let others = replicate m (replicate b i)
    in others with [i] = map (\x -> 3 * x + i) (copy rows[m - 1 - i])

-- A short one is copied if it is needed as it was.
-- nests: grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64]] 3i64
entry short_copies [b] (rows: [2][b]i64) (n: i64) : [2][b]i64 =
  loop rows = copy rows for i < n do
    let before = copy rows
    let rows = rows with [0] = map (\x -> 3 * x + i) (copy rows[1])
    in rows with [1] = map2 (+) (copy before[0]) (copy rows[1])

-- Only the inner loop.
-- nests: grid 1 store, grid 1 reduce, grid 1 store
-- loops: 1
-- input [[[1i64, 2i64], [3i64, 4i64]]] [5i64, 6i64]
-- input [[[1i64, 2i64]], [[3i64, 4i64]]] [5i64, 6i64]
entry inner_loop [n][m][b] (xsss: [n][m][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for s < n do
    let row = loop row = row for j < m do map2 (\x y -> 2 * x + j * y) row xsss[n - 1 - s, j]
    let total = i64.sum row
    in map (\x -> total - x) row

-- Columns that change the order of their dimensions.
-- nests: grid 1 store
-- loops: 0
-- input [[[1i64, 2i64], [3i64, 4i64]], [[5i64, 6i64], [7i64, 9i64]]] 3i64
entry transposed [b] (rows: [2][2][b]i64) (n: i64) : [2][2][b]i64 =
  loop rows = copy rows for i < n do
    let others = copy (transpose rows)
    in others with [0, 0] = map (+ i) (copy others[0, 1])

-- What a loop inside updates is needed as it was, too.
-- nests: grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64]] 3i64
entry needed_again [b] (rows: [2][b]i64) (n: i64) : [2][b]i64 =
  loop rows = copy rows for i < n do
    let others = loop others = copy rows for j < 2 do #[unsafe] (others with [j] = map2 (\x y -> x + 2 * y + i) (copy others[0]) (copy others[1]))
    in rows with [0] = map2 (\x y -> 3 * x + y) (copy rows[1]) (copy others[0])

-- What the return sweep needs is kept for one step less than there are rows.
-- nests: grid 1 store
-- loops: 0
-- input [[1.0, 2.0], [3.0, 4.0], [0.5, 2.0]] [1.0, 3.0]
-- input [[1.0, 2.0]] [1.0, 3.0]
-- input empty([0][2]f64) [1.0, 3.0]
entry gradient [n][b] (xss: [n][b]f64) (row: [b]f64) : [b]f64 =
  vjp (\row -> loop row = row for i < n - 1 do map2 (\x y -> x * x + y) row xss[i + 1]) row row
