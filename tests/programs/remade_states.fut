-- States of loops that each iteration makes anew: in their own place, if each point needs its own elements alone.

-- ==
-- entry: own_elements
-- input { 3i64 [1.0, 2.0, -1.0] } output { [8.0, 16.0, -8.0] }
-- input { 0i64 [1.0, 2.0, -1.0] } output { [1.0, 2.0, -1.0] }
entry own_elements [n] (steps: i64) (xs: [n]f64) : [n]f64 =
  loop xs for _i < steps do map (* 2) xs

-- Rows, in two dimensions.
-- ==
-- entry: rows
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] [1.0, 10.0] } output { [[3.0, 22.0], [5.0, 24.0]] }
entry rows [n] [m] (steps: i64) (xss: [n][m]f64) (ys: [m]f64) : [n][m]f64 =
  loop xss for _i < steps do map (\xs -> map2 (+) xs ys) xss

-- Each point needs its row as a whole before it makes the new one, and nothing of it afterwards.
-- ==
-- entry: sums_of_rows
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] } output { [[13.0, 14.0], [31.0, 32.0]] }
entry sums_of_rows [n] [m] (steps: i64) (xss: [n][m]f64) : [n][m]f64 =
  loop xss for _i < steps do map (\xs -> let s = f64.sum xs in map (+ s) xs) xss

-- Neighbours' elements: not in place.
-- ==
-- entry: neighbours
-- input { 2i64 [1.0, 2.0, 4.0, 8.0] } output { [10.0, 20.0, 10.0, 20.0] }
entry neighbours [n] (steps: i64) (xs: [n]f64) : [n]f64 =
  loop xs for _i < steps do map2 (+) (rotate 1 xs) (rotate (-1) xs)

-- Two states that take turns.
-- ==
-- entry: turns
-- input { 3i64 [1.0, 2.0] [10.0, 20.0] } output { [13.0, 23.0] [4.0, 5.0] }
entry turns [n] (steps: i64) (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64) =
  loop (xs, ys) = (xs, ys) for _i < steps do (map (+ 1) ys, map (+ 1) xs)

-- Both from both: each point reads its own elements of either before it stores.
-- ==
-- entry: both
-- input { 2i64 [1.0, 2.0] [10.0, 20.0] } output { [20.0, 40.0] [-2.0, -4.0] }
entry both [n] (steps: i64) (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64) =
  loop (xs, ys) = (xs, ys) for _i < steps do unzip (map2 (\x y -> (x + y, y - x)) xs ys)

-- What was there is read afterwards: by a scalar, and by another state.
-- ==
-- entry: old_and_new
-- input { 3i64 [1.0, 2.0] } output { [8.0, 16.0] [4.0, 8.0] 21.0 }
entry old_and_new [n] (steps: i64) (xs: [n]f64) : ([n]f64, [n]f64, f64) =
  loop (xs, before, sum) = (xs, replicate n 0, 0) for _i < steps do
    let new = map (* 2) xs
    in (new, map (+ 0) xs, sum + xs[0] + new[1] / 2)

-- One array for two states.
-- ==
-- entry: one_for_two
-- input { 2i64 [1.0, 2.0] } output { [4.0, 8.0] [4.0, 8.0] }
entry one_for_two [n] (steps: i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  loop (xs, ys) = (xs, xs) for _i < steps do
    let new = map2 (\x y -> x + y) xs ys
    in (new, new)

-- In each thread.
-- ==
-- entry: in_threads
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] } output { [[3.0, 6.0], [9.0, 12.0]] }
entry in_threads [n] [m] (steps: i64) (xss: [n][m]f64) : [n][m]f64 =
  map (\row -> loop xs = row for _i < steps do map2 (+) xs row) xss

-- The element at the point's place in another row: not in place.
-- ==
-- entry: row_before
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] } output { [[4.0, 8.0], [6.0, 10.0]] }
entry row_before [n] [m] (steps: i64) (xss: [n][m]f64) : [n][m]f64 =
  loop xss for _i < steps do map (\i -> map2 (+) xss[i] xss[i64.max 0 (i - 1)]) (iota n) |> map (map (+ 0))

-- Sums of rows that are made only for them: few, and many.
-- ==
-- entry: few_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] [[[1.0, 0.0, 2.0], [0.5, 1.0, 1.0], [1.0, 1.0, 1.0]], [[1.0, 0.0, 2.0], [0.5, 1.0, 1.0], [1.0, 1.0, 1.0]]] }
-- output { [[3.0, 3.0, 5.0], [7.0, 6.0, 12.0]] }
entry few_rows [n] (weights: [n][2]f64) (rows: [n][3][3]f64) : [n][3]f64 =
  map2 (\ws rows -> reduce (map2 (+)) (replicate 3 0) (map2 (\w row -> map (* w) row) [ws[0], ws[1], 0.5 * ws[1]] rows)) weights rows

-- ==
-- entry: many_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] [[[1.0, 0.0, 2.0], [0.5, 1.0, 1.0]], [[1.0, 0.0, 2.0], [0.5, 1.0, 1.0]]] }
-- output { [[2.0, 2.0, 4.0], [5.0, 4.0, 10.0]] [3.0, 7.0] [2.0, 4.0] }
entry many_rows [n] [k] [m] (weights: [n][k]f64) (rows: [n][k][m]f64) : ([n][m]f64, [n]f64, [n]f64) =
  unzip3 (map2 (\ws rows -> (reduce (map2 (+)) (replicate m 0) (map2 (\w row -> map (* w) row) ws rows),
                             f64.sum ws, f64.maximum ws)) weights rows)

-- No rows at all: the neutral elements.
-- ==
-- entry: no_rows
-- input { empty([2][0]f64) empty([2][0][3]f64) } output { [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
entry no_rows [n] [k] [m] (weights: [n][k]f64) (rows: [n][k][m]f64) : [n][m]f64 =
  map2 (\ws rows -> reduce (map2 (+)) (replicate m 0) (map2 (\w row -> map (* w) row) ws rows)) weights rows

-- Views of what is made only for them: stored as they are seen.
-- ==
-- entry: seen_otherwise
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] true }
-- output { [[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]] [2.0, 3.0, 4.0, 5.0, 6.0, 7.0] [[3.0, 6.0], [4.0, 7.0], [5.0, 8.0]] [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] false }
-- output { [[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]] [2.0, 3.0, 4.0, 5.0, 6.0, 7.0] [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]] [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] }
entry seen_otherwise [n] [m] (xss: [n][m]f64) (more: bool) =
  (transpose (map (map (+ 1)) xss),
   flatten (map (map (+ 1)) xss),
   transpose (if more then map (map (+ 2)) xss else copy xss),
   reverse (flatten (map (map (* 1)) xss)))

-- Rows that are flattened, or transposed, one by one.
-- ==
-- entry: views_of_rows
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] }
-- output { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] [[[1.0, 3.0], [2.0, 4.0]], [[5.0, 7.0], [6.0, 8.0]]] [[9.0, 2.0, 3.0, 4.0], [9.0, 6.0, 7.0, 8.0]] }
entry views_of_rows [n] (xsss: [n][2][2]f64) : ([n][4]f64, [n][2][2]f64, [n][4]f64) =
  let flat = map flatten xsss
  in (flat, map transpose xsss, map (\row -> copy row with [0] = 9) (map flatten xsss))
