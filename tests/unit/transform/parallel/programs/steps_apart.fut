-- Reductions that keep a loop from going into the threads: inwards/steps_apart.hpp.

-- What they need is there before the loop.
-- nests: grid 1 store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- input [[1i64, 2i64]] [1i64, 0i64]
-- input empty([0][2]i64) [1i64, 0i64]
-- input empty([3][0]i64) empty([0]i64)
entry first [n][b] (xss: [n][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for i < n do let total = i64.sum xss[i] in map2 (\x y -> 2 * x + y - total) row xss[i]

-- What comes of them is needed behind it.
-- nests: grid 1 store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- input [[1i64, 2i64]] [1i64, 0i64]
-- input empty([0][2]i64) [1i64, 0i64]
-- input empty([3][0]i64) empty([0]i64)
entry last [n][b] (xss: [n][b]i64) (row: [b]i64) : i64 =
  (loop (row, total) = (row, 1) for i < n do
     let row = map2 (\x y -> 2 * x + y) row xss[i]
     in (row, 3 * total + i64.sum row)).1

-- What the state was before the step.
-- nests: grid 1 store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- input empty([0][2]i64) [1i64, 0i64]
entry state_before [n][b] (xss: [n][b]i64) (row: [b]i64) : i64 =
  (loop (row, total) = (row, 1) for i < n do (map2 (\x y -> 2 * x + y) row xss[i], 3 * total + i64.maximum row)).1

-- nests: grid 1 store, grid 1 store store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- input empty([0][2]i64) [1i64, 0i64]
-- input empty([3][0]i64) empty([0]i64)
entry both [n][b] (xss: [n][b]i64) (row: [b]i64) : ([b]i64, i64) =
  loop (row, total) = (row, 1) for i < n do
    let least = i64.minimum xss[i]
    let row = map2 (\x y -> 2 * x + y - least) row xss[i]
    in (row, 3 * total + i64.sum row)

-- The reduction is on the recurrence.
-- nests: grid 1 reduce, grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
entry recurrence [n][b] (xss: [n][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for i < n do let total = i64.sum row in map2 (\x y -> 2 * x + y - total) row xss[i]

-- So it is by a number that the loop carries.
-- nests: grid 1 store, grid 1 reduce+1
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
entry by_a_number [n][b] (xss: [n][b]i64) (row: [b]i64) : [b]i64 =
  (loop (row, total) = (row, 1) for i < n do
    let row = map2 (\x y -> 2 * x + y - total) row xss[i]
    in (row, total + i64.sum row)).0

-- What is kept would need more memory than anything there is.
-- nests: grid 1 store, grid 1 reduce, grid 1 store
-- loops: 1
-- input [1i64, 0i64] 3i64
entry large [b] (row: [b]i64) (n: i64) : [b]i64 =
  loop row = row for i < n do
    let ys = map (\j -> (i + j) % 7) (iota b)
    let total = i64.sum ys
    in map2 (\x y -> 2 * x + y - total) row ys

-- Numbers may be kept.
-- nests: grid 1 store, grid 1 store
-- loops: 0
-- input [1i64, 0i64] 3i64 2i64
-- input [1i64, 0i64] -1i64 2i64
entry numbers [b] (row: [b]i64) (n: i64) (k: i64) : [b]i64 =
  loop row = row for i < n do
    let total = i64.sum (map (\j -> (i + j) % 7) (iota k))
    in map (\x -> 2 * x - total) row

-- Nothing of the loop is a recurrence of rows.
-- nests: grid 1 reduce+1
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]]
entry only_numbers [n][b] (xss: [n][b]i64) : i64 =
  loop total = 1 for i < n do 3 * total + i64.sum xss[i]

-- Checks stay where they are.
-- nests: grid 1 reduce+1, grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- failing input [[1i64, 2i64], [3i64, 4i64], [5i64, -16i64]] [1i64, 0i64]
entry asserted [n][b] (xss: [n][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for i < n do
    let total = i64.sum xss[i]
    let total = assert (total >= 0) total
    in map2 (\x y -> 2 * x + y - total) row xss[i]

-- Sums for each element, of what the loop does not carry.
-- nests: grid 2 store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [[1i64, 2i64], [3i64, -4i64]] [[1i64, 0i64], [3i64, 2i64]]
-- input empty([0][2]i64) [[1i64, 2i64], [3i64, -4i64]] [[1i64, 0i64], [3i64, 2i64]]
entry sums [n][b] (xss: [n][b]i64) (weights: [b][b]i64) (rows: [2][b]i64) : [2][b]i64 =
  loop rows = copy rows for i < n do
    let rows = rows with [1] = map2 (\x y -> 2 * x + y) (copy rows[1]) (copy rows[0])
    in rows with [0] = map (\ws -> i64.sum (map2 (*) ws xss[i])) weights

-- Of what it carries they are on the recurrence.
-- nests: grid 1 store
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [[1i64, 2i64], [3i64, -4i64]] [1i64, 0i64]
entry sums_of_state [n][b] (xss: [n][b]i64) (weights: [b][b]i64) (row: [b]i64) : [b]i64 =
  loop row = row for i < n do
    let ys = map (\ws -> i64.sum (map2 (*) ws row)) weights
    in map2 (\x y -> 2 * x + y) xss[i] ys

-- nests: grid 1 store, grid 1 reduce+2
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
-- failing input [[1i64, 2i64], [3i64, 4i64], [5i64, -96i64]] [1i64, 0i64]
entry asserted_behind [n][b] (xss: [n][b]i64) (row: [b]i64) : ([b]i64, i64) =
  loop (row, total) = (row, 0) for i < n do
    let row = map2 (\x y -> 2 * x + y) row xss[i]
    let sum = i64.sum row
    let sum = assert (sum >= 0) sum
    in (row, 3 * total + sum)

-- nests: grid 1 reduce, grid 1 store
-- loops: 1
-- input [1i64, 0i64] 3i32 2i64
entry other_index [b] (row: [b]i64) (n: i32) (k: i64) : [b]i64 =
  loop row = row for i < n do
    let total = i64.sum (map (\j -> (i64.i32 i + j) % 7) (iota k))
    in map (\x -> 2 * x - total) row

-- Checks of the first part are those of all steps.
-- nests: grid 1 store, grid 1 store
-- loops: 0
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64] 1i64
-- failing input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64] 2i64
-- failing input empty([3][0]i64) empty([0]i64) 2i64
entry checked_first [n][b] (xss: [n][b]i64) (row: [b]i64) (k: i64) : [b]i64 =
  loop row = row for i < 2 do let total = i64.sum xss[i + k] in map (\x -> 2 * x - total) row

-- What is kept of the first part is updated behind it.
-- nests: grid 1 store store, grid 1 store
-- loops: 0
-- input [[[1i64, 2i64], [3i64, 4i64]], [[5i64, 6i64], [7i64, 8i64]]] [[1i64, 0i64], [2i64, 3i64]]
entry updated [n][b] (xsss: [n][2][b]i64) (rows: [2][b]i64) : [2][b]i64 =
  loop rows = rows for i < n do
    let zss = loop zss = replicate 2 (replicate b 0) for k < 2 do zss with [k] = map2 (\x y -> 2 * x + y + i) (copy zss[1 - k]) xsss[i, k]
    let total = i64.sum (map i64.sum zss)
    in zss with [0] = map3 (\x y z -> 2 * x + y + z - total) (copy rows[0]) (copy rows[1]) (copy zss[0])

-- The state itself is kept.
-- nests: grid 1 store store, grid 1 store
-- loops: 0
-- input [[[1i64, 2i64], [3i64, 4i64]], [[5i64, 6i64], [7i64, 8i64]]] [[1i64, 0i64], [2i64, 3i64]]
entry states [n][b] (xsss: [n][2][b]i64) (rows: [2][b]i64) : ([2][b]i64, i64) =
  loop (rows, total) = (copy rows, 1) for i < n do
    let sum = i64.sum (map i64.sum rows)
    in (rows with [0] = map2 (\x y -> 2 * x + y) (copy rows[0]) xsss[i, 1], 3 * total + sum)

-- One number after the other: rows are computed between.
-- nests: grid 1 store, grid 1 reduce+3, grid 1 reduce+1
-- loops: 1
-- input [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [1i64, 0i64]
entry numbers_in_turn [n][b] (xss: [n][b]i64) (row: [b]i64) : (i64, i64) =
  let (_, a, c) =
    loop (row, a, c) = (row, 1, 2) for i < n do
      let row = map2 (\x y -> 2 * x + y) row xss[i]
      let a = 3 * a + i64.sum row
      in (row, a, 5 * c + i64.maximum (map (% (1 + a * a)) row))
  in (a, c)
