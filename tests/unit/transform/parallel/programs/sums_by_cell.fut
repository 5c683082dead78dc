-- Additions to cells that some dimensions of the grid have no say in: flatten/sums_by_cell.hpp. What such a program adds to are the
-- adjoints of arrays that all points read.

-- nests: grid 2 store, grid 1 store
-- input [1.0,2.0,3.0] [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0]
-- input empty([0]f64) empty([0][2]f64) [5.0,7.0]
-- input [1.0] empty([1][0]f64) empty([0]f64)
entry columns [n][k] (xs: [n]f64) (ws: [n][k]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map2 (\x w -> f64.sum (map2 (\c y -> c * y * x) cs w)) xs ws)) cs 1

-- The innermost dimension has no say.
-- nests: grid 2 store, grid 1 store
-- input [1.0,2.0,3.0] [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0]
entry rows [n][k] (xs: [n]f64) (ws: [n][k]f64) (cs: [k]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map2 (\c j -> f64.sum (map2 (\x i -> c * x * #[unsafe] ws[i, j]) xs (iota n))) cs (iota k))) xs 1

-- Rows of a point are no obstacle; the matrices and the vector have nests of their own.
-- nests: grid 3 store, grid 3 store, grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [[1.0,2.0],[3.0,4.0],[0.5,1.0]] [[1.0,0.0],[2.0,1.0]] [[[1.0,2.0],[3.0,4.0]],[[5.0,6.0],[7.0,8.0]]]
-- input empty([0][2]f64) empty([0][2]f64) [[1.0,0.0],[2.0,1.0]] [[[1.0,2.0],[3.0,4.0]],[[5.0,6.0],[7.0,8.0]]]
entry moments [n][k][d] (ws: [n][k]f64) (xs: [n][d]f64) (means: [k][d]f64) (qs: [k][d][d]f64) : ([k][d][d]f64, [k]f64) =
  vjp (\(qs: [k][d][d]f64, bs: [k]f64) ->
         f64.sum (map2 (\x w -> f64.sum (map4 (\mean q b y ->
           let difference = map2 (-) x mean
           in b * y + y * f64.sum (map2 (\row z -> z * f64.sum (map2 (*) row difference)) q difference)) means qs bs w)) xs ws))
      (qs, replicate k 0) 1

-- The same is added to two vectors, so that it is summed once; each has what it held before.
-- nests: grid 1 store store, grid 2 store, grid 1 store store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0] [2.0,3.0]
entry twice [n][k] (ws: [n][k]f64) (cs: [k]f64) (bs: [k]f64) : ([k]f64, [k]f64) =
  vjp (\(cs: [k]f64, bs: [k]f64) ->
         f64.sum (map (\w -> f64.sum (map3 (\c b y -> (c + b) * y) cs bs w)) ws) + f64.sum (map f64.exp cs) + f64.sum (map f64.sin bs))
      (cs, bs) 1

-- So few points that there are no slabs.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0]
entry few_points [k] (ws: [3][k]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (*) cs w)) ws)) cs 1

-- An index that memory tells.
-- nests: grid 2 store, grid 1 store, grid 2 add
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [1i64,1i64,0i64] [5.0,7.0] [[1.0,2.0],[3.0,4.0]]
entry one_stays [n][k][l] (ws: [n][k]f64) (is: [n]i64) (cs: [k]f64) (bs: [l][k]f64) : ([k]f64, [l][k]f64) =
  vjp (\(cs: [k]f64, bs: [l][k]f64) -> f64.sum (map2 (\w i -> f64.sum (map3 (\c b y -> (c + b) * y) cs bs[i] w)) ws is)) (cs, bs) 1

-- Some points do not add.
-- nests: grid 2 add
-- input [[1.0,-2.0],[3.0,5.0],[-2.0,2.0]] [5.0,7.0]
entry condition [n][k] (ws: [n][k]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\c y -> if y > 0 then c * y else 1) cs w)) ws)) cs 1

-- A function is computed once, as part of the sum,
-- nests: grid 2 store, grid 1 store
-- input [[1.0,-2.0],[3.0,5.0],[-2.0,2.0]] [5.0,7.0]
entry function [n][k] (ws: [n][k]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\c y -> c * f64.exp y) cs w)) ws)) cs 1

-- or stored, if other sums take it, too.
-- nests: grid 2 store, grid 2 store, grid 1 store, grid 3 store, grid 2 store
-- input [[1.0,-2.0],[3.0,5.0],[-2.0,2.0]] [5.0,7.0] [[1.0,2.0,3.0],[4.0,5.0,6.0],[7.0,8.0,9.0]]
entry function_of_several [n][k][d] (ws: [n][k]f64) (cs: [k]f64) (xs: [n][d]f64) : ([k]f64, [k][d]f64) =
  vjp (\(cs: [k]f64, ms: [k][d]f64) ->
         f64.sum (map2 (\w x -> f64.sum (map3 (\c y m -> c * f64.exp y + f64.exp y * f64.sum (map2 (*) m x)) cs w ms)) ws xs))
      (cs, replicate k (replicate d 0.0)) 1

-- Sums are stored before, since distribution makes them a nest of their own.
-- nests: grid 2 store, grid 2 store, grid 1 store
-- input [[[1.0,-2.0],[3.0,5.0]],[[-2.0,2.0],[0.0,1.0]]] [5.0,7.0]
entry sum_inside [n][k][d] (ws: [n][k][d]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\c y -> c * f64.sum y) cs w)) ws)) cs 1

-- A part of the array has cells for them.
-- nests: grid 2 add
-- input [[1.0,-2.0],[3.0,5.0]] [5.0,7.0,8.0]
entry part [n][k][l] (ws: [n][k]f64) (cs: [l]f64) : [l]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\j y -> #[unsafe] cs[j] * y) (iota k) w)) ws)) cs 1

-- All dimensions are in the diagonal's indices, one of them twice.
-- nests: grid 2 add
-- input [[1.0,-2.0],[3.0,5.0]] [[5.0,7.0],[8.0,9.0]]
entry diagonal [n][k] (ws: [n][k]f64) (cs: [k][k]f64) : [k][k]f64 =
  vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\j y -> #[unsafe] cs[j, j] * y) (iota k) w)) ws)) cs 1

-- The transposed matrix: the last index belongs to neighbours.
-- nests: grid 3 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [[1.0,2.0,0.5],[3.0,4.0,1.5],[7.0,8.0,2.5]] [[5.0,7.0],[1.0,2.0],[3.0,4.0]]
entry transposed [n][k][d] (ws: [n][k]f64) (xs: [n][d]f64) (cs: [d][k]f64) : [d][k]f64 =
  vjp (\cs -> f64.sum (map2 (\w x -> f64.sum (map2 (\c y -> y * f64.sum (map2 (*) c x)) (transpose cs) w)) ws xs)) cs 1

-- Two dimensions have no say, of which one is inside of a thread: the sum over the other one multiplies once (pass contract).
-- nests: grid 3 store, grid 2 store, grid 1 add, grid 1 store
-- input [1.0,2.0,3.0] [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [[1.0,2.0],[3.0,4.0],[0.5,1.0]] [5.0,7.0] [1i64,1i64,0i64] [0.0,0.0]
entry inner_dimension [n][d][k][l] (xs: [n]f64) (ys: [d][k]f64) (zs: [n][k]f64) (cs: [k]f64) (is: [n]i64) (bs: [l]f64) : ([k]f64, [l]f64) =
  vjp (\(cs: [k]f64, bs: [l]f64) ->
         f64.sum (map3 (\x i z -> bs[i] * x + f64.sum (map (\y -> f64.sum (map3 (\c u v -> c * u * v * x) cs y z)) ys)) xs is zs))
      (cs, bs) 1

-- Several slabs, of whole numbers, so that the order of additions does not matter.
-- nests: grid 2 store, grid 1 store
-- input 1000i64 [5.0,7.0,1.0]
entry several_slabs [k] (n: i64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (tabulate n (\i -> f64.sum (map2 (\c j -> c * f64.i64 (i * i % 17 + j)) cs (iota k))))) cs 1

-- Some of the additions to one array.
-- nests: grid 2 store, grid 1 store, grid 1 add
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [1i64,1i64,0i64] [5.0,7.0]
entry some_stay [n][k] (ws: [n][k]f64) (is: [n]i64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map2 (\w i -> cs[i] * 2 + f64.sum (map2 (\c y -> c * y) cs w)) ws is)) cs 1

-- What is added takes longer than two reads from memory, but points do nothing else,
-- nests: grid 2 store, grid 1 store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0]
entry much_arithmetic [n][k] (ws: [n][k]f64) (cs: [k]f64) : [k]f64 =
  let f (y: f64) = y / (1 + y / (2 + y / (3 + y / (4 + y / (5 + y / (6 + y / (7 + y)))))))
  in vjp (\cs -> f64.sum (map (\w -> f64.sum (map2 (\c y -> c * f y) cs w)) ws)) cs 1

-- or something else.
-- nests: grid 1 add store
-- input [[1.0,2.0],[3.0,5.0],[2.0,2.0]] [5.0,7.0]
entry much_arithmetic_besides [n][k] (ws: [n][k]f64) (cs: [k]f64) : ([n][k]f64, [k]f64) =
  let f (y: f64) = y / (1 + y / (2 + y / (3 + y / (4 + y / (5 + y / (6 + y / (7 + y)))))))
  in vjp (\(ws: [n][k]f64, cs: [k]f64) -> f64.sum (map (\w -> f64.sum (map2 (\c y -> c * f y) cs w)) ws)) (ws, cs) 1

-- What is added may fail.
-- nests: grid 2 add
-- input [0i64,1i64] [1.0,2.0,3.0] [5.0,7.0]
-- failing input [0i64,3i64] [1.0,2.0,3.0] [5.0,7.0]
entry may_fail [n][k][l] (is: [n]i64) (xs: [l]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\i -> f64.sum (map2 (\j c -> c * xs[i + j]) (iota k) cs)) is)) cs 1

-- How many points of a thread add is different from one to the next.
-- nests: grid 1 add
-- input [0i64,1i64,2i64] [[1.0,2.0],[3.0,5.0]] [5.0,7.0]
entry ragged [n][d][k] (is: [n]i64) (xs: [d][k]f64) (cs: [k]f64) : [k]f64 =
  vjp (\cs -> f64.sum (map (\i -> f64.sum (map (\t -> f64.sum (map2 (\x c -> x * c * f64.i64 i) (#[unsafe] xs[t]) cs)) (iota i))) is)) cs 1

-- A cell for each point, and a cell that memory tells.
-- nests: grid 2 add add
-- input [[1.0,2.0],[3.0,5.0]] [[1i64,1i64],[0i64,1i64]] [[5.0,7.0],[8.0,9.0]] [1.0,2.0]
entry own_cells [n][k][l] (ws: [n][k]f64) (is: [n][k]i64) (cs: [k][n]f64) (bs: [l]f64) : ([k][n]f64, [l]f64) =
  vjp (\(cs: [k][n]f64, bs: [l]f64) ->
         f64.sum (map3 (\a w row -> f64.sum (map3 (\b y i -> #[unsafe] cs[b, a] * y * y + bs[i] * y) (iota k) w row)) (iota n) ws is))
      (cs, bs) 1

-- So many points that there are several slabs, of matrices and of a vector.
-- nests: grid 3 store, grid 3 store
-- input 300i64 2i64 3i64
-- input 0i64 2i64 3i64
entry many_points (n: i64) (k: i64) (d: i64) : [k][d][d]f64 =
  vjp (\(qs: [k][d][d]f64) -> f64.sum (tabulate n (\i -> f64.sum (map2 (\q j -> f64.sum (map2 (\row a -> f64.sum (map2 (\x b -> x * f64.i64 (i + a * 3 + b * j)) row (iota d))) q (iota d))) qs (iota k)))))
      (replicate k (replicate d (replicate d 0))) 1
