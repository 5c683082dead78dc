-- Rows of sums that a thread computes and goes on with: flatten/nests_apart.hpp. Reverse mode leaves such, where rows that a point adds to
-- become sums (flatten/sums_by_cell.hpp).

-- nests: grid 3 store, grid 3 store
-- tiles: total_adj for all columns, x for all rows; total_adj for all columns, y for all rows
-- input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0,3.0],[4.0,0.0,2.0]]] [[[1.0,2.0,1.0],[3.0,5.0,2.0]]]
entry products [b][n][m][k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) (seeds: [b][n][m]f64) : ([b][n][k]f64, [b][k][m]f64) =
  vjp (\(xsss, ysss) -> map2 (\xss yss -> map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss) xsss ysss) (xsss, ysss) seeds

-- Sums of slabs are a third dimension.
-- nests: grid 3 store, grid 2 store, grid 2 store
-- tiles: total_adj for all columns, x for all rows; total_adj for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0,2.0,1.0],[3.0,5.0,2.0]]
entry product [n][m][k] (xss: [n][k]f64) (yss: [m][k]f64) (seeds: [n][m]f64) : ([n][k]f64, [m][k]f64) =
  vjp (\(xss, yss) -> map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) yss) xss) (xss, yss) seeds

-- Behind a check.
-- nests: grid 1 store
-- input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0,3.0],[4.0,0.0,2.0]]] [1i64]
-- failing input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0,3.0],[4.0,0.0,2.0]]] [7i64]
entry behind_a_check [b][n][m][k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) (is: [b]i64) : [b][n][k]f64 =
  map3 (\xss yss i -> let i = assert (i < n) i
                     in vjp (\xss -> map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss) xss (replicate n (replicate m (#[unsafe] xss[i, 0])))) xsss ysss is

-- What the sums need takes longer than reading it.
-- nests: grid 1 store
-- input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0,3.0],[4.0,0.0,2.0]]]
entry needs_much [b][n][m][k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) : [b][n][k]f64 =
  map2 (\xss yss -> vjp (\xss -> map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss) xss
                        (replicate n (replicate m (f64.sin (f64.sin (f64.sin (f64.sin (#[unsafe] xss[0, 0])))))))) xsss ysss

-- A matrix of another point is copied.
-- nests: grid 3 store, grid 1 store
-- input [[[1.0,2.0],[3.0,5.0]],[[4.0,2.0],[3.0,7.0]]] [[[1.0,1.0,3.0],[4.0,0.0,2.0]],[[1.0,1.0,3.0],[4.0,0.0,2.0]]] [[[1.0,2.0,1.0],[3.0,5.0,2.0]],[[1.0,2.0,1.0],[3.0,5.0,2.0]]]
entry of_another_point [b][n][m][k] (xsss: [b][n][k]f64) (ysss: [b][k][m]f64) (seeds: [b][n][m]f64) : ([b][n][k]f64, [b][m][n]f64) =
  unzip (map4 (\xss yss seed i -> (vjp (\xss -> map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss) xss seed, transpose (#[unsafe] seeds[b - 1 - i])))
             xsss ysss seeds (iota b))
