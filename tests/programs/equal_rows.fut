-- Arrays of equal rows, where the row is a part of an array that is updated, or made anew, while the rows are needed.

-- | All rows of a plane become one of them.
-- ==
-- entry: plane_row_loop
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] } output { [[[3.0, 4.0], [3.0, 4.0]], [[7.0, 8.0], [7.0, 8.0]]] }
entry plane_row_loop [n] [m] [l] (xs: *[n][m][l]f64) : [n][m][l]f64 =
  loop xs for k < n do xs with [k] = replicate m xs[k, 1]

-- | Those of all planes become one of the first plane.
-- ==
-- entry: plane_row_other
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] } output { [[[3.0, 4.0], [3.0, 4.0]], [[3.0, 4.0], [3.0, 4.0]]] }
entry plane_row_other [n] [m] [l] (xs: *[n][m][l]f64) : [n][m][l]f64 =
  loop xs for k < n do xs with [k] = replicate m xs[0, 1]

-- | The same in a map.
-- ==
-- entry: plane_row_batches
-- input { [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]] } output { [[[[3.0, 4.0], [3.0, 4.0]], [[7.0, 8.0], [7.0, 8.0]]]] }
entry plane_row_batches [b] [n] [m] [l] (xss: [b][n][m][l]f64) : [b][n][m][l]f64 =
  map (\xs -> loop xs = copy xs for k < n do xs with [k] = replicate m xs[k, 1]) xss

-- | The row that they become is overwritten before.
-- ==
-- entry: plane_twice
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] } output { [[[3.0, 4.0], [3.0, 4.0]], [[7.0, 8.0], [7.0, 8.0]]] }
entry plane_twice [n] [m] [l] (xs: *[n][m][l]f64) : [n][m][l]f64 =
  loop xs for k < n do
    let r = replicate m xs[k, 1]
    let xs = xs with [k, 1] = replicate l 0
    in xs with [k] = r

-- | What the rows were made of is updated while they are still needed.
-- ==
-- entry: stale
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]] [[0.0, 0.0, 0.0], [4.0, 5.0, 6.0]] }
entry stale [n] [m] (xs: *[n][m]f64) : ([n][m]f64, [n][m]f64) =
  let r = replicate n xs[0]
  let ys = xs with [0] = replicate m 0
  in (r, ys)

-- | The same in a map, where the array is a thread's own.
-- ==
-- entry: mapped_stale
-- input { [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]] } output { [[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]] [[[0.0, 0.0, 0.0], [4.0, 5.0, 6.0]]] }
entry mapped_stale [b] [n] [m] (xss: [b][n][m]f64) : ([b][n][m]f64, [b][n][m]f64) =
  unzip (map (\xs -> let xs = copy xs
  let r = replicate n xs[0]
  let ys = xs with [0] = replicate m 0
  in (r, ys)) xss)

-- | All rows of a matrix become the first one, or the last one.
-- ==
-- entry: sliced
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]] }
entry sliced [n] [m] (xs: *[n][m]f64) : [n][m]f64 =
  xs with [0:n] = replicate n xs[0]

-- ==
-- entry: sliced_last
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[5.0, 6.0], [5.0, 6.0], [5.0, 6.0]] }
entry sliced_last [n] [m] (xs: *[n][m]f64) : [n][m]f64 =
  xs with [0:n] = replicate n xs[n-1]

-- | The next state consists of one row of the state.
-- ==
-- entry: loop_rows
-- input { 3i32 [[1.0, 2.0], [3.0, 4.0]] } output { [[3.0, 4.0], [3.0, 4.0]] }
entry loop_rows [n] [m] (k: i32) (xs: *[n][m]f64) : [n][m]f64 =
  loop xs for _i < k do replicate n xs[1]

-- | Rows of a state that is made anew in the same step, in place.
-- ==
-- entry: in_loop
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[4.0, 5.0], [6.0, 7.0]] [[5.0, 6.0], [5.0, 6.0]] }
entry in_loop [n] [m] (xs: *[n][m]f64) : ([n][m]f64, [n][m]f64) =
  loop (xs, _r) = (xs, replicate n (replicate m 0)) for _i < 3i32 do
    let row = xs[1]
    in (map (map (+1)) xs, replicate n row)

-- ==
-- entry: in_loops
-- input { [[[1.0, 2.0], [3.0, 4.0]]] } output { [[[4.0, 5.0], [6.0, 7.0]]] [[[5.0, 6.0], [5.0, 6.0]]] }
entry in_loops [b] [n] [m] (xss: [b][n][m]f64) : ([b][n][m]f64, [b][n][m]f64) =
  unzip (map (\xs -> loop (xs, _r) = (copy xs, replicate n (replicate m 0)) for _i < 3i32 do
    let row = xs[1]
    in (map (map (+1)) xs, replicate n row)) xss)

-- | They are made before the state is.
-- ==
-- entry: in_points
-- input { [[[1.0, 2.0], [3.0, 4.0]]] }
-- output { [[[4.0, 5.0], [6.0, 7.0]]] [[[5.0, 6.0], [5.0, 6.0]]] }
entry in_points [b] [n] [m] (xss: [b][n][m]f64) : ([b][n][m]f64, [b][n][m]f64) =
  unzip (map (\xs ->
                loop (xs, _rows) = (copy xs, replicate n (replicate m 0)) for _i < 3i32 do
                  let rows = replicate n xs[1]
                  in (map (map (+ 1)) xs, rows)) xss)

-- | Numbers that are counted, twice repeated in a point.
-- ==
-- entry: mapped_counts
-- input { [3i64, 2i64] } output { [[[0i64, 1i64], [0i64, 1i64]], [[0i64, 1i64], [0i64, 1i64]]] }
entry mapped_counts [b] (xs: [b]i64) : [b][2][2]i64 =
  map (\x -> let r = replicate 3 (replicate 2 (iota 2)) let r = if x > 2 then r else r with [1,1,1] = 1 in copy r[x-1]) xs

-- | Numbers that are counted and then changed, while planes of rows of them are needed as they were.
-- ==
-- entry: counted_planes
-- input { 4i64 } output { [0i64, 7i64, 14i64, 21i64] [[0i64, 1i64, 2i64, 3i64], [0i64, 1i64, 2i64, 3i64]] 6i64 }
-- input { 2i64 } output { [0i64, 7i64] [[0i64, 1i64], [0i64, 1i64]] 1i64 }
entry counted_planes (n: i64) : ([n]i64, [2][n]i64, i64) =
  let xs = iota n
  let rows = copy (replicate n xs)
  let planes = copy (replicate (n + n) rows)
  let (xs, total) =
    loop (xs, total) = (xs, 0) for i < n do
      let xs = xs with [i] = xs[i] * 7
      in (xs, total + planes[n - 1, n - 2, i])
  in (xs, planes[0, :2], total)

-- | Derivatives of such updates: the first plane's rows become its last one times its first number, in both modes.
-- ==
-- entry: derivatives
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]] } output { true }
entry derivatives [n] [m] [l] (xs: [n][m][l]f64) : bool =
  let f (xs: [n][m][l]f64) =
    loop xs = copy xs for k < n do
      let xs = xs with [k] = replicate m (copy xs[k, 1])
      let rows = replicate m xs[k, 0]
      let xs = xs with [k, 0] = map (* xs[(k + 1) % n, 1, 0]) xs[k, 1]
      in xs with [k] = map2 (map2 (+)) rows xs[k]
  let weights = tabulate_3d n m l (\i j k -> f64.i64 (i + 2 * j + 5 * k + 1))
  let inner a b = f64.sum (flatten (flatten (map2 (map2 (map2 (*))) a b)))
  let x_tan = tabulate_3d n m l (\i j k -> f64.i64 (1 + (3 * i + j * k + 2 * k) % 4))
  in f64.abs (inner (vjp f xs weights) x_tan - inner (jvp f xs x_tan) weights) < 1e-6
