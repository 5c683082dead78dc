-- Other shapes and orders of arrays between kernels: what has to be copied for that is copied by the device.

-- ==
-- entry: counted
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
entry counted (n: i64) (m: i64) : [n][m]i64 = unflatten (iota (n * m))

-- ==
-- entry: flat
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [1.0, 4.0, 2.0, 5.0, 3.0, 6.0] }
entry flat [n] [m] (xss: [n][m]f64) : []f64 = flatten (transpose xss)

-- ==
-- entry: flat_rows
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [2.0, 3.0, 5.0, 6.0] }
entry flat_rows [n] [m] (xss: [n][m]f64) : []f64 = flatten xss[:, 1:]

-- ==
-- entry: backwards
-- input { [1.0, 2.0, 3.0, 4.0] } output { [[4.0, 3.0], [2.0, 1.0]] }
entry backwards (xs: [4]f64) : [2][2]f64 = unflatten (reverse xs :> [2 * 2]f64)

-- Rows that are counted, and the numbers themselves, updated meanwhile.
-- ==
-- entry: rows
-- input { 3i64 } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] [5i64, 1i64, 2i64] 1i64 [0i64, 1i64, 2i64] }
entry rows (n: i64) : ([n][n]i64, [n]i64, i64, []i64) =
  let xs = iota n
  let xss = replicate n xs
  let ys = loop ys = copy xs for i < n - 2 do ys with [i] = ys[i] + 5
  in (copy xss, ys, xss[n - 1, 1], take n (flatten xss))

-- ==
-- entry: in_loops
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 2.0], [3.0, 4.0]] 5.0 }
entry in_loops [n] (k: i64) (xss: [n][n]f64) : ([n][n]f64, f64) =
  loop (yss, s) = (xss, 0) for _i < k do
    let ys = flatten (transpose yss)
    in (unflatten ys, s + ys[1 % (n * n)])

-- What is copied for another shape, and then seen transposed, is made for its shape first.
-- ==
-- entry: transposed_twice
-- input { 2i64 2i64 [[1.0, 4.0, 7.0, 0.5], [2.0, 5.0, 8.0, 0.25], [3.0, 6.0, 9.0, 0.125]] }
-- output { [[[2.0, 8.0], [14.0, 1.0]], [[4.0, 10.0], [16.0, 0.5]], [[6.0, 12.0], [18.0, 0.25]]] }
-- input { 1i64 0i64 empty([3][0]f64) } output { empty([3][1][0]f64) }
entry transposed_twice [k] (n: i64) (m: i64) (xss: [k][n * m]f64) : [k][n][m]f64 =
  let yss = map (map (* 2)) xss
  let parts : [n][m][k]f64 = unflatten (transpose yss)
  in map transpose parts |> transpose

-- The tangents of a change of shape, all at once.
-- ==
-- entry: tangents_of_a_shape
-- input { 2i64 2i64 [1.0, 2.0, 3.0, 4.0] } output { [[[0.0, 3.0], [0.0, 0.0]], [[0.0, 0.0], [3.0, 0.0]]] }
entry tangents_of_a_shape (n: i64) (m: i64) (xs: [n * m]f64) : [2][n][m]f64 =
  tabulate 2 (\i -> jvp unflatten xs (replicate (n * m) 0 with [i + 1] = 3))

-- What is given in one shape, seen in another, and handed back as it was given: made where the caller wants it, if the sizes are right.
-- ==
-- entry: handed_back
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] 2i64 }
-- output { [2.0, 8.0, 4.0, 10.0, 6.0, 12.0] }
-- input { [1.0, 2.0, 3.0, 4.0] 1i64 }
-- output { [2.0, 4.0, 6.0, 8.0] }
-- input { empty([0]f64) 3i64 }
-- output { empty([0]f64) }
-- input { [1.0, 2.0, 3.0] 2i64 }
-- error:
entry handed_back [a] (xs: [a]f64) (n: i64) : [a]f64 =
  let m = a / n
  let yss = unflatten (xs :> [n * m]f64)
  in flatten (transpose (map (map (* 2)) yss)) :> [a]f64
