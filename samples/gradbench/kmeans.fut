-- kmeans: the cost of a clustering, and the direction in which Newton's method moves the centres.

def squared_distance [d] (p: [d]f64) (c: [d]f64) : f64 =
  f64.sum (map2 (\x y -> (x - y) * (x - y)) p c)

-- | Sum over all points of the squared distance to the nearest centre.
def total [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : f64 =
  f64.sum (map (\p -> f64.minimum (map (squared_distance p) centres)) points)

entry cost [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : f64 = total points centres

-- | Gradient over Hessian. The Hessian is diagonal, so that its product with a vector of ones is all of it.
entry direction [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  let ones = replicate k (replicate d 1)
  let (gradient, hessian) = jvp2 (\centres -> vjp (total points) centres 1) centres ones
  in map2 (map2 (/)) gradient hessian
