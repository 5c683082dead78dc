-- Products that a point combines, and which have nests of their own but for the last: flatten/products_apart.hpp.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- nests: grid 2 store, grid 2 store
-- tiles: x for all columns, y for all rows; x for all columns, y for all rows
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
-- input empty([0][2]f64) [[1.0,1.0],[3.0,4.0],[0.0,2.0]] empty([0][1]f64) [[3.0],[4.0],[5.0]]
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] empty([2][0]f64) empty([3][0]f64)
entry two [n][m][k][l] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> 2 * dot a b - dot c d) bs ds) as cs

-- Each has its own operator, and is used more than once.
-- nests: grid 2 store, grid 2 store, grid 2 store store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]] [[1.0,2.0],[2.0,7.0]] [[3.0,5.0],[4.0,8.0],[5.0,2.0]]
entry three [n][m][k][l][o] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) (es: [n][o]f64) (fs: [m][o]f64) : ([n][m]f64, [n][m]f64) =
  unzip (map3 (\a c e -> unzip (map3 (\b d f -> let x = f64.maximum (map2 (-) a b)
                                               let y = f64.sum (map2 (\c d -> (c - d) * (c - d)) c d)
                                               let z = f64.minimum (map2 (*) e f)
                                               in (x * x + y, x - z * y)) bs ds fs)) as cs es) |> \(a, b) -> (a, b)

-- Of sums with the same summands, which stay together.
-- nests: grid 2 store store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
entry pair [n][m][k][l] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> 2 * dot a b - f64.maximum (map2 (-) a b) * dot c d) bs ds) as cs

-- Matrices by number.
-- nests: grid 3 store, grid 3 store
-- input [[[1.0,2.0],[3.0,5.0]]] [[[1.0,1.0],[3.0,4.0],[0.0,2.0]]] [[[1.0],[2.0]]] [[[3.0],[4.0],[5.0]]]
entry batch [b][n][m][k][l] (ass: [b][n][k]f64) (bss: [b][m][k]f64) (css: [b][n][l]f64) (dss: [b][m][l]f64) : [b][n][m]f64 =
  map4 (\as bs cs ds -> map2 (\a c -> map2 (\b d -> dot a b * dot c d) bs ds) as cs) ass bss css dss

-- What the points check is checked, whatever else is computed elsewhere.
-- nests: grid 2 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
-- failing input [[1.0,2.0],[-3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
entry checked [n][m][k][l] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> assert (#[unsafe] a[0] > 0) (dot a b + dot c d)) bs ds) as cs

-- A check of what products come to.
-- nests: grid 2 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
-- failing input [[1.0,2.0],[-3.0,-5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[1.0],[2.0]] [[3.0],[4.0],[5.0]]
entry checked_products [n][m][k][l] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> let x = dot a b in assert (x > 0) (dot c d)) bs ds) as cs

-- Of few summands, the second and the first.
-- nests: grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0]] [[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0]]
entry few_behind [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][15]f64) (ds: [m][15]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> dot a b - dot c d) bs ds) as cs
-- nests: grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0]] [[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0],[0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0]]
entry few_before [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][15]f64) (ds: [m][15]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> dot c d - dot a b) bs ds) as cs

-- Of just enough.
-- nests: grid 2 store, grid 2 store
entry enough [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][16]f64) (ds: [m][16]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> dot c d - dot a b) bs ds) as cs

-- One product.
-- nests: grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry one [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) : [n][m]f64 =
  map (\a -> map (\b -> 2 * dot a b) bs) as

-- The second, and then the first, takes a factor that differs with row and column, so that tiles cannot compute it.
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[[1.0,2.0],[1.0,2.0],[1.0,2.0]],[[1.0,2.0],[1.0,2.0],[1.0,2.0]]]
entry masked_behind [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) (wsss: [n][m][k]f64) : [n][m]f64 =
  map2 (\a wss -> map2 (\b ws -> dot a b - f64.sum (map3 (\a b w -> a * b * w) a b ws)) bs wss) as wsss
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]] [[[1.0,2.0],[1.0,2.0],[1.0,2.0]],[[1.0,2.0],[1.0,2.0],[1.0,2.0]]]
entry masked_before [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) (wsss: [n][m][k]f64) : [n][m]f64 =
  map2 (\a wss -> map2 (\b ws -> f64.sum (map3 (\a b w -> a * b * w) a b ws) - dot a b) bs wss) as wsss

-- The second needs what the first comes to for each summand.
-- nests: grid 2 store
-- tiles: none
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry one_needs_the_other [n][m][k] (as: [n][k]f64) (bs: [m][k]f64) : [n][m]f64 =
  map (\a -> map (\b -> let x = dot a b in f64.sum (map2 (\a b -> f64.sqrt (x * x + a * b)) a b)) bs) as

-- Points are one dimension.
-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,5.0]] [[1.0],[2.0]]
entry of_rows [n][k][l] (as: [n][k]f64) (cs: [n][l]f64) : [n]f64 =
  map2 (\a c -> dot a a - dot c c) as cs
