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

-- A sum of what the rows are made of stays with the point, and reads the rows.
-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0]
entry with_sum [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\xs -> let row = map (\c -> f64.sum (map2 (*) xs c)) cs in (row, f64.sum (map2 (*) row ws))) xss)

-- A sum with a loop of its own would be computed by one thread in any case.
-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0]
entry with_sum_of_sums [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\xs -> let (row, others) = unzip (map (\c -> (f64.sum (map2 (*) xs c), f64.maximum (map2 (-) xs c))) cs)
                     in (row, f64.sum (map2 (*) others ws))) xss)

-- A check of what the rows need stays before them.
-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0] [0i64,2i64,1i64]
-- failing input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0] [0i64,7i64,1i64]
entry checked [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) (is: [k]i64) : ([n][k]f64, [n]f64) =
  unzip (map (\xs -> let row = map (\i -> let i = assert (i < k) i in f64.sum (map2 (*) xs (#[unsafe] cs[i]))) is in (row, f64.sum (map2 (*) row ws))) xss)

-- Behind a check.
-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0] [1i64,0i64]
-- failing input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0] [1i64,7i64]
entry behind_a_check [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) (is: [n]i64) : ([n][k]f64, [n]f64) =
  unzip (map (\i -> let i = assert (i < n) i
                    let row = map (\c -> f64.sum (map2 (*) (#[unsafe] xss[i]) c)) cs in (row, f64.sum (map2 (*) row ws))) is)

-- What the rows need takes longer than reading it.
-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0]
entry needs_much [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\xs -> let f = f64.sin (f64.sin (f64.sin (f64.sin (#[unsafe] xs[0]))))
                     let row = map (\c -> f * f64.sum (map2 (*) xs c)) cs in (row, f64.sum (map2 (*) row ws))) xss)
