-- Maps that keep a row of expensive elements, and go on with it: flatten/distribute_rows.hpp.

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry with_the_largest [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in (row, f64.maximum row)) xss)

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry what_rows_need_is_cheap [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\x -> let f = f64.exp (x[0]) let row = map (\c -> f + f64.sum (map2 (*) x c)) cs in (row, f64.maximum row - f)) xss)

-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry what_rows_need_is_not_cheap [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\x -> let f = f64.exp (f64.exp (f64.exp x[0])) let row = map (\c -> f * f64.sum (map2 (*) x c)) cs in (row, f64.maximum row - f)) xss)

-- Then it comes first: loops_apart.hpp.
-- nests: grid 1 store, grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry what_rows_need_is_no_single_operation [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n]f64) =
  unzip (map (\x -> let f = f64.sum x let row = map (\c -> f * f64.sum (map2 (*) x c)) cs in (row, f64.maximum row - f)) xss)

-- nests: grid 2 store store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry two_rows [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n][k]f64, [n]f64) =
  unzip3 (map (\x -> let (r, s) = unzip (map (\c -> (f64.sum (map2 (*) x c), f64.minimum c)) cs) in (r, s, f64.maximum r - f64.sum s)) xss)

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry the_same_row_twice [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n][k]f64, [n]f64) =
  unzip3 (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in (row, row, f64.maximum row)) xss)

-- nests: grid 2 store, grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry an_operator_on_pairs [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k]f64, [n]f64, [n]i64) =
  unzip3 (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs let (v, i) = reduce_comm (\(a,i) (b,j) -> if a < b || (a == b && i <= j) then (a,i) else (b,j)) (f64.inf,-1) (zip row (iota k)) in (row, v, i)) xss)

-- nests: grid 1 reduce, grid 2 store, grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0]
entry other_sums [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) : ([n][k]f64, [n]f64, [n]f64, [n]f64) =
  unzip4 (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs let s = map (\c -> f64.minimum (map2 (-) x c)) cs in (row, f64.maximum row, f64.sum s, f64.sum ws)) xss)

-- Products of the elements are summed in the same map: nests_apart.hpp takes the rows out of it.
-- nests: grid 2 store, grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [1.0,2.0,3.0]
entry sums_that_need_what_is_computed [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) : ([n][k]f64, [n]f64, [n]f64) =
  unzip3 (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in (row, f64.sum (map2 (*) row ws), f64.maximum row)) xss)

-- nests: grid 1 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry rows_of_three [n][d] (xss: [n][d]f64) (cs: [3][d]f64) : ([n][3]f64, [n]f64) =
  unzip (map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in (row, f64.maximum row)) xss)

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry rows_that_nobody_keeps [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n]f64 =
  map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in f64.maximum row - f64.sum (scan (+) 0 row)) xss

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [2i64,3i64]
entry rows_of_different_sizes [n][d] (xss: [n][d]f64) (ks: [n]i64) : ([n]f64) =
  map2 (\x k -> let row = map (\c -> f64.sum (map (* f64.i64 c) x)) (iota k) in f64.maximum row + f64.sum row) xss ks

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]]
entry cheap_elements [n][d] (xss: [n][d]f64) : ([n][d]f64, [n]f64) =
  unzip (map (\x -> let row = map (\c -> if c < 2 then c * 2 else c) x in (row, f64.maximum row)) xss)

-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry matrices [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : ([n][k][d]f64, [n]f64) =
  unzip (map (\x -> let rows = map (\c -> scan (+) 0 (map2 (*) x c)) cs in (rows, f64.maximum (flatten rows))) xss)

-- Rows that are computed of rows, each with threads of its own.
-- nests: grid 2 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry rows_of_rows [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n][d]f64 =
  map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs in map (\i -> f64.sum (map2 (\r c -> r * #[unsafe] c[i]) row cs)) (iota d)) xss

-- nests: grid 3 store, grid 2 store
-- input [[[1.0,2.0],[3.0,5.0]]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry rows_of_matrices [b][n][k][d] (xsss: [b][n][d]f64) (cs: [k][d]f64) : [b][k]f64 =
  map (\xss -> let rows = map (\x -> map (\c -> f64.sum (map2 (*) x c)) cs) xss in map (\j -> f64.maximum (map (\i -> #[unsafe] rows[i, j]) (iota n))) (iota k)) xsss

-- Behind a check.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [0i64,1i64]
-- failing input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [0i64,7i64]
entry behind_a_check [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (is: [n]i64) : [n]f64 =
  map2 (\x i -> let i = assert (i < n) i let row = map (\c -> f64.sum (map2 (*) x c) + #[unsafe] xss[i, 0]) cs in f64.maximum row - row[0]) xss is

-- The row is written to later.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry updated [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n]f64 =
  map (\x -> let row = map (\c -> f64.sum (map2 (*) x c)) cs let row = loop row for i < k - 1 do row with [i + 1] = row[i] + row[i + 1] in f64.maximum row) xss

-- Rows as long as the point says.
-- nests: grid 1 reduce, grid 1 store, grid 1 reduce
-- input [2i64,0i64,3i64] [1.0,2.0]
entry rows_of_own_length [n][k] (is: [n]i64) (cs: [k]f64) : f64 =
  f64.sum (map (\i -> let rows = map (\c -> scan (+) c (tabulate i f64.i64)) cs in f64.maximum (map f64.sum (transpose rows))) is)
