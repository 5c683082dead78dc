-- Loops that update rows, columns and elements of a matrix; the rows that derivatives restore are
-- found through an index in memory.

-- | The sum of [x0 x1, x1 x2, x2].
-- ==
-- entry: rows
-- input { [[1.5, 2.0], [3.0, 0.5], [2.5, 1.25]] }
-- output { [[3.0, 0.5], [4.0, 3.25], [4.0, 1.5]] }
entry rows (xs: [3][2]f64) : [3][2]f64 =
  vjp (\xs ->
         f64.sum (flatten (loop m = copy xs for i < 2 do
                             m with [i] = map2 (*) m[i] m[i + 1])))
      xs 1

-- | The rows are told by the caller. The sum of [x0 x1, x1, x2].
-- ==
-- entry: told_rows
-- input { [0i64] [[1.5, 2.0], [3.0, 0.5], [2.5, 1.25]] }
-- output { [[3.0, 0.5], [2.5, 3.0], [1.0, 1.0]] }
-- input { empty([0]i64) [[1.5, 2.0]] } output { [[1.0, 1.0]] }
entry told_rows [n] [k] [r] (is: [r]i64) (xs: [n][k]f64) : [n][k]f64 =
  vjp (\xs ->
         f64.sum (flatten (loop m = copy xs for i in is do
                             m with [i] = map2 (*) m[i] m[(i + 1) % n])))
      xs 1

-- | Columns: the sum of [x1^2, x2^2, x2] of each row.
-- ==
-- entry: columns
-- input { [[2.0, 3.0, 5.0], [1.0, 4.0, 2.0]] }
-- output { [[0.0, 6.0, 11.0], [0.0, 8.0, 5.0]] }
entry columns [n] (xs: [n][3]f64) : [n][3]f64 =
  vjp (\xs ->
         f64.sum (flatten (loop m = copy xs for j < 2 do
                             m with [:, j] = map (\y -> y * y) m[:, j + 1])))
      xs 1

-- An element that is out of bounds, which the return sweep would write to unchecked.
-- ==
-- entry: out_of_bounds
-- input { 1i64 [1.0, 2.0] } output { [1.0, 3.0] }
-- input { 2i64 [1.0, 2.0] } error: .
entry out_of_bounds [n] (i: i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> let x = xs[i] let ys = copy xs with [i] = 5 in f64.sum ys + 3 * x) xs 1
