-- Copies of rows that outlive the step of a loop which updates the array next.
-- ==
-- entry: of_inner_loop
-- input { 3i64 [[1.0, 2.0, 4.0], [2.0, 1.0, 3.0], [5.0, 6.0, 7.0]] } auto output
-- input { 1i64 [[1.0]] } auto output
entry of_inner_loop [n] (k: i64) (xs: [n][n]f64) : ([n][n]f64, [n]f64) =
  loop ((ys: *[n][n]f64), (s: [n]f64)) = (copy xs, xs[0]) for i < k do
    let ys[i] = map2 (+) s ys[n - 1]
    let s = loop s = s for j < k do copy ys[n - 1]
    in (ys, s)
