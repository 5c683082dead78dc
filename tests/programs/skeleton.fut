-- Bones that turn with their parents, and points that follow several of them, as in hand tracking: the Jacobian has a row for
-- each angle, computed forwards; the gradient of the squared distances goes back through the chain of poses.

def rotation (angle: f64) : *[3][3]f64 =
  let (c, s) = (f64.cos angle, f64.sin angle)
  in [[c, -s, 0.5], [s, c, 0.25], [0, 0, 1]]

def multiply [n] [m] [k] (xss: [n][m]f64) (yss: [m][k]f64) : *[n][k]f64 =
  map (\xs -> map (\ys -> f64.sum (map2 (*) xs ys)) (transpose yss)) xss

-- The first bone has no parent, and nor has one whose parent would come later.
def poses [b] (parents: [b]i64) (angles: [b]f64) : [b][3][3]f64 =
  loop (done: *[b][3][3]f64) = replicate b (replicate 3 (replicate 3 0)) for i < b do
    let own = rotation angles[i]
    let pose = if 0 <= parents[i] && parents[i] < i then multiply done[parents[i]] own else own
    in done with [i] = pose

def positions [b] [v] (parents: [b]i64) (weights: [v][b]f64) (points: [v][3]f64) (angles: [b]f64) : [v][3]f64 =
  let add = map2 (map2 (+))
  let blended = map (\ws -> reduce add (replicate 3 (replicate 3 0)) (map2 (\w -> map (map (* w))) ws (poses parents angles))) weights
  in map2 (\pose point -> map (\row -> f64.sum (map2 (*) row point)) pose) blended points

-- ==
-- entry: jacobian gradient
-- input { [-1i64, 0i64, 1i64, 0i64] [[0.1f64, 0.2f64, 0.7f64, 0f64], [1f64, 0f64, 0.3f64, 0.25f64]] [[1f64, 2f64, 1f64], [0.3f64, 0.5f64, 1f64]] [0.1f64, 0.2f64, 0.3f64, -0.4f64] }
-- input { empty([0]i64) empty([2][0]f64) [[1f64, 2f64, 1f64], [0.3f64, 0.5f64, 1f64]] empty([0]f64) }
entry jacobian [b] [v] (parents: [b]i64) (weights: [v][b]f64) (points: [v][3]f64) (angles: [b]f64) : [b][v][3]f64 =
  map (\i -> jvp (positions parents weights points) angles (tabulate b (\j -> f64.bool (i == j)))) (iota b)

entry gradient [b] [v] (parents: [b]i64) (weights: [v][b]f64) (points: [v][3]f64) (angles: [b]f64) : [b]f64 =
  let distances angles = map (map (\x -> x * x)) (positions parents weights points angles)
  in vjp (\angles -> f64.sum (flatten (distances angles))) angles 1
