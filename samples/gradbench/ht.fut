-- ht, hand tracking: how far a posed hand is from measured points, and the Jacobian of that.
--
-- The 26 numbers of a pose: the rotation of the hand as an axis as long as the angle (3), its translation (3), and four angles of each
-- finger. Bones are in an order in which parents stand before their children.

type matrix = [4][4]f64

def multiply [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a

-- | The rotation around an axis by an angle as large as the axis is long.
def rotation (axis: [3]f64) : [3][3]f64 =
  let angle = f64.sqrt (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
  in if angle < 0.0001
     then [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
     else let (x, y, z) = (axis[0] / angle, axis[1] / angle, axis[2] / angle)
          let (s, c) = (f64.sin angle, f64.cos angle)
          let both a b = a * b * (1 - c)
          in [[c + both x x, both x y - z * s, both x z + y * s],
              [both x y + z * s, c + both y y, both y z - x * s],
              [both x z - y * s, both y z + x * s, c + both z z]]

-- | How a bone is turned against its rest: bent, and at the first joint of a finger spread.
def joint (pose: [26]f64) (bone: i64) : matrix =
  let finger = (bone - 2) / 4
  let place = (bone - 2) % 4
  let first = 6 + 4 * finger
  let bend = if bone < 2 || place == 3 then 0 else if place == 0 then pose[first] else pose[first + place + 1]
  let spread = if bone < 2 || place != 0 then 0 else pose[first + 1]
  let (sb, cb, ss, cs) = (f64.sin bend, f64.cos bend, f64.sin spread, f64.cos spread)
  in [[cs, -ss * cb, ss * sb, 0],
      [ss, cs * cb, -cs * sb, 0],
      [0, sb, cb, 0],
      [0, 0, 0, 1]]

type~ hand [bones] [vertices] [triangles] =
  { parents: [bones]i32,
    relatives: [bones]matrix,         -- of bones at rest, to their parents
    inverses: [bones]matrix,          -- of bones at rest, from the hand
    positions: [vertices][4]f64,      -- at rest, homogeneous
    weights: [vertices][bones]f64,    -- of each vertex, how far it follows the bones
    triangles: [triangles][3]i32,
    mirrored: bool }

-- | Where the vertices of a hand are in a pose.
def pose_vertices [b] [v] [t] (hand: hand [b] [v] [t]) (pose: [26]f64) : [v][3]f64 =
  let relatives = tabulate b (\bone -> multiply hand.relatives[bone] (joint pose bone))
  let absolutes =
    loop absolutes = copy relatives for bone < b do
      let parent = hand.parents[bone]
      in if parent == -1
         then absolutes
         else absolutes with [bone] = multiply (copy absolutes[parent]) relatives[bone]
  let transforms = map2 multiply absolutes hand.inverses
  let turned = rotation pose[0:3]
  let moved position weights =
    let p =
      tabulate 3 (\i ->
        f64.sum (map2 (\weight transform ->
                         weight * (transform[i, 0] * position[0] + transform[i, 1] * position[1]
                                   + transform[i, 2] * position[2] + transform[i, 3] * position[3]))
                      weights transforms))
    let p = [if hand.mirrored then -p[0] else p[0], p[1], p[2]]
    in map2 (\row shift -> f64.sum (map2 (*) row p) + shift) turned (pose[3:6] :> [3]f64)
  in map2 moved hand.positions hand.weights

-- | Measured points less the vertices that belong to them.
def vertex_errors [b] [v] [t] [n] (hand: hand [b] [v] [t]) (vertices: [n]i32) (points: [n][3]f64) (pose: [26]f64) : [n][3]f64 =
  let posed = pose_vertices hand pose
  in map2 (\vertex point -> map2 (-) point posed[vertex]) vertices points

-- | Measured points less points in triangles: us says where in a triangle, in barycentric coordinates.
def surface_errors [b] [v] [t] [n]
                   (hand: hand [b] [v] [t]) (triangles: [n]i32) (points: [n][3]f64) (pose: [26]f64, us: [n][2]f64) : [n][3]f64 =
  let posed = pose_vertices hand pose
  let error triangle point u =
    let corners = hand.triangles[triangle]
    in tabulate 3 (\i ->
         point[i] - u[0] * posed[corners[0], i] - u[1] * posed[corners[1], i] - (1 - u[0] - u[1]) * posed[corners[2], i])
  in map3 error triangles points us

-- | Row i is 1 at i, of `n` rows from `first` on.
def unit_rows (n: i64) (first: i64) : [n][26]f64 =
  tabulate_2d n 26 (\i j -> f64.bool (i == first + j))

entry objective [b] [v] [t] [n]
                (parents: [b]i32) (relatives: [b][4][4]f64) (inverses: [b][4][4]f64) (positions: [v][4]f64) (weights: [v][b]f64)
                (triangles: [t][3]i32) (mirrored: bool) (correspondences: [n]i32) (points: [n][3]f64) (pose: [26]f64)
                : [n][3]f64 =
  vertex_errors {parents, relatives, inverses, positions, weights, triangles, mirrored} correspondences points pose

entry jacobian [b] [v] [t] [n]
               (parents: [b]i32) (relatives: [b][4][4]f64) (inverses: [b][4][4]f64) (positions: [v][4]f64) (weights: [v][b]f64)
               (triangles: [t][3]i32) (mirrored: bool) (correspondences: [n]i32) (points: [n][3]f64) (pose: [26]f64)
               : [26][n][3]f64 =
  let hand = {parents, relatives, inverses, positions, weights, triangles, mirrored}
  in jmp (vertex_errors hand correspondences points) pose (unit_rows 26 0)

entry surface_objective [b] [v] [t] [n]
                        (parents: [b]i32) (relatives: [b][4][4]f64) (inverses: [b][4][4]f64) (positions: [v][4]f64)
                        (weights: [v][b]f64) (triangles: [t][3]i32) (mirrored: bool) (correspondences: [n]i32)
                        (points: [n][3]f64) (pose: [26]f64) (us: [n][2]f64) : [n][3]f64 =
  surface_errors {parents, relatives, inverses, positions, weights, triangles, mirrored} correspondences points (pose, us)

-- | Each error depends on its own u alone: two columns hold the derivatives by all of them, before those by the pose.
entry surface_jacobian [b] [v] [t] [n]
                       (parents: [b]i32) (relatives: [b][4][4]f64) (inverses: [b][4][4]f64) (positions: [v][4]f64)
                       (weights: [v][b]f64) (triangles: [t][3]i32) (mirrored: bool) (correspondences: [n]i32)
                       (points: [n][3]f64) (pose: [26]f64) (us: [n][2]f64) : [28][n][3]f64 =
  let hand = {parents, relatives, inverses, positions, weights, triangles, mirrored}
  let seeds = tabulate 28 (\i -> tabulate_2d n 2 (\_ j -> f64.bool (i == j)))
  in jmp (surface_errors hand correspondences points) (pose, us) (zip (unit_rows 28 2) seeds)
