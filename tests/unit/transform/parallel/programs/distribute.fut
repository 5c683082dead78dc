-- Maps that compute something and add rows: flatten/distribute.hpp.

def nearest [k][d] (x: [d]f64) (cs: [k][d]f64) : i64 =
  let distances = map (\c -> f64.sum (map2 (\p q -> (p - q) * (p - q)) x c)) cs
  let less (a, i) (b, j) = if a < b || (a == b && i <= j) then (a, i) else (b, j)
  in (reduce_comm less (f64.inf, -1) (zip distances (iota k))).1

-- nests: grid 1 store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [[1.0,1.0],[3.0,3.0]]
-- input empty([0][2]f64) [[1.0,1.0],[3.0,3.0]]
entry one_accumulator [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [k][d]f64 =
  vjp (\cs -> f64.sum (map (\x -> let i = nearest x cs in f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i])) xss)) cs 1

-- Both are added in one map.
-- nests: grid 2 add add
-- input [0i64,1i64,1i64] [1i64,0i64,1i64] [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]]
entry cheap_rows_of_two [n][k][l][d] (is: [n]i64) (js: [n]i64) (a: [k][d]f64) (b: [l][d]f64) =
  vjp (\(a: [k][d]f64,b:[l][d]f64) -> f64.sum (map2 (\i j -> f64.sum (map2 (*) a[i] b[j])) is js)) (a,b) 1

-- The row is added to both, and computed once.
-- nests: grid 1 store store, grid 2 add add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [[2.0,1.0],[0.0,4.0],[7.0,8.0]]
entry one_row_twice [n][k][l][d] (xss: [n][d]f64) (a: [k][d]f64) (b: [l][d]f64) =
  vjp (\(p: [k][d]f64,q:[l][d]f64) -> f64.sum (map (\x -> let i = nearest x a let j = nearest x b in f64.sum (map3 (\x y z -> x * (y + z)) x p[i] q[j])) xss)) (a,b) 1

-- nests: grid 3 add
-- input [0i64,1i64,1i64] [[1.0],[3.0]] [[[1.0],[2.0]],[[3.0],[4.0]],[[5.0],[6.0]]]
entry matrices [n][k][d][e] (is: [n]i64) (w: [d][e]f64) (xs: [k][d][e]f64) =
  vjp (\xs -> f64.sum (map (\i -> f64.sum (flatten (map2 (map2 (\x y -> x * x * y)) xs[i] w))) is)) xs 1

-- nests: grid 1 store, grid 1 store, grid 2 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]]
entry sums_first [n][k][d] (is: [n]i64) (a: [k][d]f64) =
  vjp (\a -> f64.sum (map (\i -> let s = f64.sum (map f64.exp a[i]) in f64.sum (map (\x -> s * x) a[i])) is)) a 1

-- nests: grid 1 store, grid 1 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [1.0, 2.0]
entry numbers [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k]f64) =
  vjp (\ws -> f64.sum (map (\x -> let i = nearest x cs in ws[i] * ws[i]) xss)) ws 1

-- nests: grid 1 store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]]
entry rows_of_two [n][k] (xss: [n][2]f64) (cs: [k][2]f64) =
  vjp (\cs -> f64.sum (map (\x -> let i = nearest x cs in f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i])) xss)) cs 1

-- nests: grid 1 store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [false,true]
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [true,false]
entry on_condition [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (on: [n]bool) =
  vjp (\cs -> f64.sum (map2 (\x c -> let i = nearest x cs in if c then f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i]) else 0) xss on)) cs 1

-- nests: grid 1 store, grid 1 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [false,true]
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [true,false]
entry on_the_opposite [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (on: [n]bool) =
  vjp (\cs -> f64.sum (map2 (\x c -> let i = nearest x cs in if c then 0 else f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i])) xss on)) cs 1

-- nests: grid 1 store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] 3i64
entry in_a_loop [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (m: i64) =
  loop cs for l < m do vjp (\cs -> f64.sum (map (\x -> let i = nearest x cs in f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i])) xss)) cs 1

-- nests: grid 1 store store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]] [[1.0,1.0],[3.0,4.0]]
entry two_values [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) (ws: [k][d]f64) =
  vjp (\cs -> f64.sum (map (\x -> let i = nearest x ws in let s = f64.sum (map2 (\p q -> (p-q)*(p-q)) x cs[i]) in s * s) xss)) cs 1

-- Either branch adds a row.
-- nests: grid 1 add
-- input [0i64,1i64,1i64] [true,false,true] [[1.0,2.0],[3.0,5.0]]
entry branches [n][k][d] (is: [n]i64) (cs: [n]bool) (a: [k][d]f64) =
  vjp (\a -> f64.sum (map2 (\i c -> if c then f64.sum (map (\x -> x * x) a[i]) else f64.sum (map f64.exp a[i])) is cs)) a 1

-- nests: grid 1 scan, grid 1 add
-- input [0i64,1i64,1i64] [0i64,1i64,0i64] [[1.0,2.0],[3.0,5.0]]
entry rows_that_a_scan_makes [n][k][d] (is: [n]i64) (js: [n]i64) (a: [k][d]f64) =
  vjp (\a -> f64.sum (map2 (\i j -> f64.sum (scan (+) 0 (map2 (*) a[i] a[j]))) is js)) a 1

-- nests: grid 2 add, grid 2 add
-- input [0i64,1i64,1i64] [1i64,0i64,1i64] [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0]]
entry cheap_rows_apart [n][k][d][e] (is: [n]i64) (js: [n]i64) (a: [k][d]f64) (b: [k][e]f64) =
  vjp (\(a: [k][d]f64,b:[k][e]f64) -> f64.sum (map2 (\i j -> f64.sum (map (\x -> x * x) a[i]) + f64.sum (map f64.exp b[j])) is js)) (a,b) 1

-- Their rows are made in one map.
-- nests: grid 1 store store, grid 1 add
-- input [0i64,1i64,1i64] [1i64,0i64,1i64] [[1.0,2.0],[3.0,5.0]]
entry the_same_array_twice [n][k][d] (is: [n]i64) (js: [n]i64) (a: [k][d]f64) =
  vjp (\(a: [k][d]f64) -> f64.sum (map2 (\i j -> f64.sum (map (\x -> x * x) a[i]) * f64.sum (map f64.exp a[j])) is js)) a 1

-- nests: grid 1 store, grid 2 add
-- input [0i64,1i64] [2.0,3.0] [[1.0,2.0],[3.0,5.0]]
-- failing input [0i64,1i64] [2.0,-3.0] [[1.0,2.0],[3.0,5.0]]
entry checked [n][k][d] (is: [n]i64) (ws: [n]f64) (a: [k][d]f64) =
  intrinsics.scatter_stream (copy a) (\acc (i, w) ->
     let s = f64.sum (map (\x -> f64.exp (x * w)) a[i])
     let s = assert (s > 0.5) s
     in intrinsics.acc_write acc i (map (\x -> x * s) a[i])) (zip is ws)

-- nests: grid 1 store, grid 2 add
-- input [0i64,1i64] [2.0,3.0] [[1.0,2.0],[3.0,5.0]]
-- failing input [0i64,1i64] [2.0,-3.0] [[1.0,2.0],[3.0,5.0]]
entry checked_elsewhere [n][k][d] (is: [n]i64) (ws: [n]f64) (a: [k][d]f64) =
  intrinsics.scatter_stream (copy a) (\acc (i, w) ->
     let s = f64.sum (map (\x -> f64.exp x) a[i])
     let i = assert (w > 0) i
     in intrinsics.acc_write acc i (map (\x -> x * s) a[i])) (zip is ws)
