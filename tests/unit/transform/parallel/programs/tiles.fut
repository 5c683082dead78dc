-- Sums whose operands few points differ in: transform/facts/tiles.hpp. What `tiles` says is the same for all columns, and for all rows.

-- nests: grid 2 store
-- tiles: x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry product [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n][k]f64 =
  map (\x -> map (\y -> f64.sum (map2 (*) x y)) yss) xss

-- nests: grid 3 store
-- tiles: x for all columns, y for all rows
-- input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0],[3.0,4.0],[0.0,2.0]]]
entry batch [b][n][k][d] (xsss: [b][n][d]f64) (ysss: [b][k][d]f64) : [b][n][k]f64 =
  map2 (\xss yss -> map (\x -> map (\y -> f64.sqrt (f64.sum (map2 (\x y -> (x - y) * (x - y)) x y))) yss) xss) xsss ysss

-- What is computed of one row is computed once for the tile.
-- nests: grid 2 store
-- tiles: product for all columns, exp for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [2.0,3.0]
entry weighted [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) (ws: [d]f64) : [n][k]f64 =
  map (\x -> map (\y -> f64.sum (map3 (\w x y -> w * x * f64.exp y) ws x y)) yss) xss

-- nests: grid 2 store
-- tiles: x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry largest [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n][k]f64 =
  map (\x -> map (\y -> f64.maximum (map2 (-) x y)) yss) xss

-- nests: grid 2 store store
-- tiles: x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry two_sums [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : ([n][k]f64, [n][k]f64) =
  unzip (map (\x -> unzip (map (\y -> (f64.sum (map2 (*) x y), f64.maximum (map2 (-) x y))) yss)) xss) |> \(a, b) -> (a, b)

-- A factor that differs with row and column.
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[[1.0,2.0],[1.0,2.0],[1.0,2.0]],[[1.0,2.0],[1.0,2.0],[1.0,2.0]]]
entry masked [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) (ms: [n][k][d]f64) : [n][k]f64 =
  map2 (\x ms -> map2 (\y m -> f64.sum (map3 (\m x y -> m * x * y) m x y)) yss ms) xss ms

-- All rows have all in common.
-- nests: grid 2 store
-- tiles: none
-- input 2i64 [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry same_rows [k][d] (n: i64) (yss: [k][d]f64) : [n][k]f64 =
  tabulate n (\i -> map (\y -> f64.sum (map (\y -> y * f64.i64 i) y)) yss)

-- Each row has sums of its own length.
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry triangle [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n][k]f64 =
  tabulate_2d n k (\i j -> f64.sum (tabulate (i64.min i d) (\t -> #[unsafe] (xss[i, t] * yss[j, t]))))

-- An index that is checked.
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1i64,0i64]
-- failing input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1i64,2i64]
entry checked [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) (is: [d]i64) : [n][k]f64 =
  map (\x -> map (\y -> f64.sum (map2 (\i y -> x[i] * y) is y)) yss) xss

-- Points are rows, which fold what comes of their columns.
-- nests: grid 1 store
-- tiles: x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry nearest [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n]f64 =
  map (\x -> f64.minimum (map (\y -> f64.sum (map2 (\x y -> (x - y) * (x - y)) x y)) yss)) xss

-- With a matrix for each, and a row that a point makes for itself.
-- nests: grid 2 store
-- tiles: y for all columns, x for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [[[1.0,2.0],[1.0,3.0]],[[1.0,4.0],[2.0,5.0]]] [7.0,8.0]
entry norms [n][k][d] (xss: [n][d]f64) (means: [k][d]f64) (qs: [k][d][d]f64) (ws: [k]f64) : [n][k]f64 =
  map (\x -> map3 (\mean q w ->
    let difference = map2 (-) x mean
    in w - f64.sum (map (\row -> let y = f64.sum (map2 (*) row difference) in y * y) q)) means qs ws) xss

-- Two values of a row, and one of what they have in common with the columns.
-- nests: grid 1 store store
-- tiles: x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry largest_and_sum [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : ([n]f64, [n]f64) =
  unzip (map (\x -> let zs = map (\y -> f64.sum (map2 (*) x y)) yss in (f64.maximum zs, f64.sum (map (+ (#[unsafe] x[0])) zs))) xss)

-- Threads cannot share the operator.
-- nests: grid 1 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry last_positive [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n]f64 =
  map (\x -> reduce (\a b -> if b > 0 then b else a) 0 (map (\y -> f64.sum (map2 (*) x y)) yss)) xss

-- How many columns there are differs.
-- nests: grid 1 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [2i64,3i64]
entry of_first_columns [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) (counts: [n]i64) : [n]f64 =
  map2 (\x count -> f64.sum (tabulate count (\j -> f64.exp (f64.sum (map2 (*) x (#[unsafe] yss[j])))))) xss counts

-- Each thread has a row that it cannot compute again: a scan.
-- nests: grid 1 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry with_scan [n][k][d] (xss: [n][d]f64) (yss: [k][d]f64) : [n]f64 =
  map (\x -> let sums = scan (+) 0 x in f64.maximum (map (\y -> f64.sum (map2 (*) sums y)) yss)) xss
