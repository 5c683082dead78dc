-- Derivatives with respect to arrays that all rows of a map share: every pair of a row and a parameter adds to the
-- parameter's adjoint, a vector and a matrix at a time.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- | Squared distances of a point to all centres, in the metric of each.
def distances [k] [d] (centres: [k][d]f64) (metrics: [k][d][d]f64) (x: [d]f64) : [k]f64 =
  map2 (\c m ->
          let difference = map2 (-) x c
          in f64.sum (map (\row -> let y = dot row difference in y * y) m))
       centres metrics

-- | Weights times the exponentials of distances, summed over points; as each point sees them.
def density [n] [k] [d] (weights: [k]f64) (centres: [k][d]f64) (metrics: [k][d][d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x -> dot weights (map (\s -> f64.exp (-s)) (distances centres metrics x))) xs

entry densities [n] [k] [d] (weights: [k]f64) (centres: [k][d]f64) (metrics: [k][d][d]f64) (xs: [n][d]f64) : [n]f64 =
  density weights centres metrics xs

-- ==
-- entry: densities_vjp
-- input { [2f64] [[1f64, 0f64]] [[[1f64, 0f64], [0f64, 1f64]]] [[1f64, 0f64]] [3f64] }
-- output { [3f64] [[0f64, 0f64]] [[[0f64, 0f64], [0f64, 0f64]]] }
-- input { empty([0]f64) empty([0][2]f64) empty([0][2][2]f64) [[1f64, 0f64]] [3f64] }
-- output { empty([0]f64) empty([0][2]f64) empty([0][2][2]f64) }
-- input { [2f64] [[1f64, 0f64]] [[[1f64, 0f64], [0f64, 1f64]]] empty([0][2]f64) empty([0]f64) }
-- output { [0f64] [[0f64, 0f64]] [[[0f64, 0f64], [0f64, 0f64]]] }
-- input { [2f64] empty([1][0]f64) empty([1][0][0]f64) empty([3][0]f64) [1f64, 2f64, 3f64] }
-- output { [6f64] empty([1][0]f64) empty([1][0][0]f64) }
entry densities_vjp [n] [k] [d] (weights: [k]f64) (centres: [k][d]f64) (metrics: [k][d][d]f64) (xs: [n][d]f64)
                    (seed: [n]f64) : ([k]f64, [k][d]f64, [k][d][d]f64) =
  vjp (\(w, c, m) -> density w c m xs) (weights, centres, metrics) seed

-- | The least distance, and all of them, which are kept.
-- ==
-- entry: least
-- input { [[1f64], [4f64]] [[[1f64]], [[1f64]]] [[2f64], [3f64]] } output { [1f64, 1f64] [[1f64, 4f64], [4f64, 1f64]] }
entry least [n] [k] [d] (centres: [k][d]f64) (metrics: [k][d][d]f64) (xs: [n][d]f64) : ([n]f64, [n][k]f64) =
  unzip (map (\x -> let ss = distances centres metrics x in (f64.minimum ss, ss)) xs)

entry least_vjp [n] [k] [d] (centres: [k][d]f64) (metrics: [k][d][d]f64) (xs: [n][d]f64) (seed: [n]f64)
    : ([k][d]f64, [k][d][d]f64) =
  vjp (\(c, m) -> map (\x -> f64.minimum (distances c m x)) xs) (centres, metrics) seed

-- | The same matrix twice: its rows are added to, and its columns.
entry twice_vjp [n] [d] (m: [d][d]f64) (xs: [n][d]f64) (seed: [n]f64) : [d][d]f64 =
  let apply (m: [d][d]f64) (x: [d]f64) = map (dot x) m
  in vjp (\m -> map (\x -> f64.sum (apply (transpose m) (map f64.sin (apply m x)))) xs) m seed
