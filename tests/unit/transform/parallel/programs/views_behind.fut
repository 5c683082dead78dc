-- Maps whose bodies end in views: flatten/views_behind.hpp.

-- nests: grid 2 store
-- input [[[1.0,2.0],[3.0,5.0]],[[4.0,6.0],[7.0,8.0]],[[0.0,2.0],[1.0,9.0]]]
-- input empty([0][2][2]f64)
entry reshaped [n][m][d] (xsss: [n][m][d]f64) : [n][m][d]f64 =
  map (\xss -> unflatten (map (\x -> x * x + 1) (flatten xss))) xsss

-- nests: grid 3 store
-- input [[[1.0,2.0],[3.0,5.0],[4.0,6.0]],[[7.0,8.0],[0.0,2.0],[1.0,9.0]]]
entry transposed [n][m][d] (xsss: [n][m][d]f64) : [n][d][m]f64 =
  map (\xss -> transpose (map (map (f64.sqrt >-> f64.exp)) xss)) xsss

-- nests: grid 2 store
-- input [[[1.0,2.0],[3.0,5.0],[4.0,6.0]],[[7.0,8.0],[0.0,2.0],[1.0,9.0]]]
entry both [n][m][d] (xsss: [n][m][d]f64) : [n][d][m]f64 =
  map (\xss -> transpose (unflatten (map f64.sqrt (flatten xss)) : [m][d]f64)) xsss

-- nests: grid 1 store store
-- input [[[1.0,2.0],[3.0,5.0]],[[4.0,6.0],[7.0,8.0]]]
entry rows_that_others_need [n][m][d] (xsss: [n][m][d]f64) : ([n][m][d]f64, [n]f64) =
  unzip (map (\xss -> let ys = map f64.exp (flatten xss) in (unflatten ys, f64.sum ys)) xsss)

-- nests: grid 1 store store
-- input [[[1.0,2.0],[3.0,5.0]],[[4.0,6.0],[7.0,8.0]]]
entry views_that_others_need [n][m][d] (xsss: [n][m][d]f64) : ([n][m][d]f64, [n]f64) =
  unzip (map (\xss -> let yss : [m][d]f64 = unflatten (map f64.exp (flatten xss)) in (yss, yss[0, 0])) xsss)

-- Nobody has checked these sizes where there are no rows.
-- nests: grid 1 store
-- input 2i64 3i64 [[1.0,2.0,3.0,4.0,5.0,6.0]]
-- input -2i64 -3i64 empty([0][6]f64)
-- failing input -2i64 -3i64 [[1.0,2.0,3.0,4.0,5.0,6.0]]
entry other_sizes [n] (m: i64) (d: i64) (xss: [n][m * d]f64) : [n][m][d]f64 =
  map (\xs -> unflatten (map (\x -> x * x + 1) xs)) xss

-- Without work there is nothing to be made perfect.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry sums [n][m] (xss: [n][m]f64) : [n]f64 =
  map f64.sum xss
