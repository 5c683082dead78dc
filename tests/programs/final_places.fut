-- Arrays that are made where they are stored, and those that must not be, since what stands there is still needed.

-- Rows that are updated by what stands there.
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 4.0], [6.0, 8.0]] }
entry rows [n] [m] (xss: *[n][m]f64) : [n][m]f64 =
  loop xss for i < n do
    xss with [i] = map2 (+) (copy xss[i]) xss[i]

-- Other elements of the row than its own.
-- ==
-- entry: reversed
-- input { [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]] } output { [[4.0, 4.0, 4.0], [8.0, 8.0, 8.0]] }
entry reversed [n] [m] (xss: *[n][m]f64) : [n][m]f64 =
  loop xss for i < n do
    let row = xss[i]
    in xss with [i] = map (\j -> row[j] + row[m - 1 - j]) (iota m)

-- The old row is read after the new one has been made.
-- ==
-- entry: old_and_new
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 3.0], [4.0, 5.0]] [10.0, 22.0] }
entry old_and_new [n] [m] (xss: *[n][m]f64) : ([n][m]f64, [n]f64) =
  loop (xss, sums) = (xss, replicate n 0) for i < n do
    let new = map (+ 1) xss[i]
    let sum = 2 * f64.sum (map2 (\x j -> x * f64.i64 (j + 1)) xss[i] (iota m))
    let sums = sums with [i] = sum
    in (xss with [i] = new, sums)

-- Two parts of one row change places.
-- ==
-- entry: swapped
-- input { [[[1.0, 2.0], [3.0, 4.0]]] } output { [[[4.0, 5.0], [2.0, 3.0]]] }
entry swapped [n] [m] (xsss: *[n][2][m]f64) : [n][2][m]f64 =
  loop xsss for i < n do
    let first = map (+ 1) xsss[i, 1]
    let second = map (+ 1) xsss[i, 0]
    let xsss = xsss with [i, 0] = first
    in xsss with [i, 1] = second

-- One after the other: the second reads what the first has written.
-- ==
-- entry: one_after_the_other
-- input { [[[1.0, 2.0], [3.0, 4.0]]] } output { [[[4.0, 5.0], [5.0, 6.0]]] }
entry one_after_the_other [n] [m] (xsss: *[n][2][m]f64) : [n][2][m]f64 =
  loop xsss for i < n do
    let first = map (+ 1) xsss[i, 1]
    let xsss = xsss with [i, 0] = first
    let second = map (+ 1) xsss[i, 0]
    in xsss with [i, 1] = second

-- A log of rows that are overwritten, and a log of logs.
-- ==
-- entry: logs
-- input { 3i64 [1.0, 2.0] }
-- output { [2.0, 4.0] [[[1.0, 2.0], [1.0, 3.0]], [[1.0, 3.0], [2.0, 3.0]], [[2.0, 3.0], [2.0, 4.0]]] }
entry logs [m] (n: i64) (xs: *[m]f64) : ([m]f64, [][][]f64) =
  let log = replicate n (replicate 2 (replicate m 0))
  let (xs, log) =
    loop (xs, log) for i < n do
      let inner = replicate 2 (replicate m 0)
      let (xs, inner) =
        loop (xs, inner) for j < 2 do
          let inner = inner with [j] = copy xs
          let k = (i + j + 1) % i64.max m 1
          let xs = if m > 0 then xs with [k] = xs[k] + f64.bool (j == 0) else xs
          in (xs, inner)
      in (xs, log with [i] = inner)
  in (xs, log)

-- Several updates of the same place: the last one stays.
-- ==
-- entry: last_one_stays
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[11.0, 12.0], [13.0, 14.0]] }
entry last_one_stays [n] [m] (xss: *[n][m]f64) : [n][m]f64 =
  loop xss for i < n do
    let tens = map (+ 10) xss[i]
    let ones = map (+ 1) xss[i]
    let xss = xss with [i] = ones
    in xss with [i] = tens

-- Scalars that iterations and branches compute are made in their places, too; the old ones are still there.
-- ==
-- entry: scalars
-- input { 3i64 [1.0, 2.0, 3.0] } output { 28.0 236.0 }
entry scalars [n] (k: i64) (xs: [n]f64) : (f64, f64) =
  loop (a, b) = (0, 1) for i < k do
    let sum = f64.sum (map (\x -> x * (b - a)) xs)
    let next = if sum > 100 then a + f64.sum (map (* 2) xs) else b + f64.sum (map (\x -> x * f64.i64 i) xs)
    in (next + f64.i64 i, sum + next)

-- The initial state is made for the loop alone, or for others, too.
-- ==
-- entry: starts
-- input { 3i64 [1.0, 2.0] } output { [35.0, 36.0] [11.0, 13.0] }
entry starts [n] (k: i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  let first = map (\x -> 2 * x + 1) xs
  let second = map (\x -> 2 * x + 9) xs
  let ys = loop ys = first for i < k do map2 (\y z -> y + z - f64.i64 i) (reverse ys) (map (+ 1) ys)
  let zs = loop zs = second for i < 1 do reverse (reverse zs)
  in (map2 (+) ys (map f64.i64 (iota n)), map2 (\z _ -> z) second zs)

-- Rows that are read by other numbers: two of them are one row of the view, and the next row of the view is not the next row.
-- ==
-- entry: seen_as_pairs
-- random input { [8][5]f64 3i64 }
-- auto output
-- random input { [8][300]f64 2i64 }
-- auto output
entry seen_as_pairs [m] (xss: [8][m]f64) (row: i64) : ([8][m]f64, [8][m]f64) =
  let k = i64.max 1 (i64.min row 3)
  let rows = map (map (+ 1)) xss
  let pairs = unflatten (sized (4 * 2) rows) :> [4][2][m]f64
  let product = map (\j -> pairs[0, 0, j] * pairs[0, 1, m - 1 - j]) (iota m)
  let others = map (map (+ 2)) xss
  let pairs_of_others = unflatten (sized (4 * 2) others) :> [4][2][m]f64
  let sums = map (\j -> f64.sum (map (\l -> #[unsafe] (pairs_of_others[k - 1, 0, l] * pairs_of_others[k - 1, 1, (l + j) % m])) (iota m))) (iota m)
  in (rows with [1] = product, #[unsafe] (others with [k] = sums))
