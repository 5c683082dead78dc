-- Rows that a point adds to at places that data tell: flatten/accumulators_apart.hpp. They are adjoints of what the point gathers from.

-- nests: grid 3 add
-- grid: additions copies
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
-- input empty([0][3]f64) [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
entry gathered [n][l][d][k] (xss: [n][l]f64) (iss: [d][k]i64) (wss: [d][k]f64) : [n][l]f64 =
  vjp (\xss -> map (\xs -> f64.sum (map2 (\is ws -> f64.sum (map2 (\i w -> f64.sin (#[unsafe] xs[i]) * w) is ws)) iss wss)) xss) xss (replicate n 1)

-- The point goes on with the row.
-- nests: grid 3 add, grid 2 store
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
entry squared [n][l][d][k] (xss: [n][l]f64) (iss: [d][k]i64) (wss: [d][k]f64) : [n][l]f64 =
  map (\xs -> map (\x -> x * x)
                  (vjp (\xs -> f64.sum (map2 (\is ws -> f64.sum (map2 (\i w -> f64.sin (#[unsafe] xs[i]) * w) is ws)) iss wss)) xs 1)) xss

-- Points may check an index.
-- nests: grid 3 add
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
-- failing input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,3i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
entry checked [n][l][d][k] (xss: [n][l]f64) (iss: [d][k]i64) (wss: [d][k]f64) : [n][l]f64 =
  vjp (\xss -> map (\xs -> f64.sum (map2 (\is ws -> f64.sum (map2 (\i w -> f64.sin xs[i] * w) is ws)) iss wss)) xss) xss (replicate n 1)

-- What the source asserts is asserted by who goes through all of it.
-- nests: grid 1 store
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
-- failing input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,7i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
entry asserted [n][l][d][k] (xss: [n][l]f64) (iss: [d][k]i64) (wss: [d][k]f64) : [n][l]f64 =
  vjp (\xss -> map (\xs -> f64.sum (map2 (\is ws -> f64.sum (map2 (\i w -> let i = assert (i < 3) i in f64.sin (#[unsafe] xs[i]) * w) is ws)) iss wss)) xss) xss (replicate n 1)

-- One loop is not worth it.
-- nests: grid 1 store
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [0i64,2i64] [1.0,2.0]
entry one_loop [n][l][k] (xss: [n][l]f64) (is: [k]i64) (ws: [k]f64) : [n][l]f64 =
  vjp (\xss -> map (\xs -> f64.sum (map2 (\i w -> f64.sin (#[unsafe] xs[i]) * w) is ws)) xss) xss (replicate n 1)

-- Nor are loops of constant length.
-- nests: grid 1 store
-- input [[1.0,2.0,3.0],[3.0,5.0,7.0]] [[0i64,2i64],[2i64,1i64]] [[1.0,2.0],[3.0,4.0]]
entry constant [n][l] (xss: [n][l]f64) (iss: [2][2]i64) (wss: [2][2]f64) : [n][l]f64 =
  vjp (\xss -> map (\xs -> f64.sum (map2 (\is ws -> f64.sum (map2 (\i w -> f64.sin (#[unsafe] xs[i]) * w) is ws)) iss wss)) xss) xss (replicate n 1)
