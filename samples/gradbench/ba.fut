-- ba, bundle adjustment: where cameras see points, less where they should, and the sparse Jacobian of that.
--
-- A camera has 11 parameters: the rotation as an axis as long as the angle (3), its centre (3), the focal length, the principal point
-- (2), and the radial distortion (2). An observation is of one point by one camera, and has a weight.

type vector = {x: f64, y: f64, z: f64}

def dot (a: vector) (b: vector) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def scale (c: f64) (a: vector) : vector = {x = c * a.x, y = c * a.y, z = c * a.z}
def add (a: vector) (b: vector) : vector = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def cross (a: vector) (b: vector) : vector =
  {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}

-- | p, rotated around an axis by an angle as large as the axis is long (Rodrigues' formula).
def rotate_around (axis: vector) (p: vector) : vector =
  let square = dot axis axis
  in if square == 0
     then add p (cross axis p)
     else let angle = f64.sqrt square
          let unit = scale (1 / angle) axis
          let along = dot unit p * (1 - f64.cos angle)
          in scale (f64.cos angle) p `add` scale (f64.sin angle) (cross unit p) `add` scale along unit

-- | What an observation's error depends on: the camera, the point and the weight.
type~ parameters = ([11]f64, [3]f64, f64)

def reprojection_error (feature: [2]f64) ((camera, point, weight): parameters) : [2]f64 =
  let axis = {x = camera[0], y = camera[1], z = camera[2]}
  let seen = {x = point[0] - camera[3], y = point[1] - camera[4], z = point[2] - camera[5]}
  let {x, y, z} = rotate_around axis seen
  let u = x / z
  let v = y / z
  let square = u * u + v * v
  let distortion = 1 + camera[9] * square + camera[10] * square * square
  let pixel w centre = w * distortion * camera[6] + centre
  in [weight * (pixel u camera[7] - feature[0]), weight * (pixel v camera[8] - feature[1])]

def weight_error (weight: f64) : f64 = 1 - weight * weight

entry objective [n] [m] [p]
                (cameras: [n][11]f64) (points: [m][3]f64) (weights: [p]f64) (observations: [p][2]i32) (features: [p][2]f64)
                : ([p][2]f64, [p]f64) =
  let error observation weight feature =
    reprojection_error feature (cameras[observation[0]], points[observation[1]], weight)
  in (map3 error observations weights features, map weight_error weights)

-- | The Jacobian row by row: where each row begins, and the columns and values in it. Both rows of an observation have 15
-- entries: of its camera, of its point and of its weight; then each error of a weight has a row of one entry.
entry jacobian [n] [m] [p]
               (cameras: [n][11]f64) (points: [m][3]f64) (weights: [p]f64) (observations: [p][2]i32) (features: [p][2]f64)
               : ([]i32, []i32, []f64) =
  let values observation weight feature =
    let parameters = (cameras[observation[0]], points[observation[1]], weight)
    let row seed =
      let (camera, point, weight) = vjp (reprojection_error feature) parameters seed
      in camera ++ point ++ [weight] :> [15]f64
    in [row [1, 0], row [0, 1]]
  let points_begin = 11 * i32.i64 n
  let weights_begin = points_begin + 3 * i32.i64 m
  let column observation i j =
    if j < 11
    then 11 * observation[0] + i32.i64 j
    else if j < 14
    then points_begin + 3 * observation[1] + i32.i64 j - 11
    else weights_begin + i
  let columns observation i = tabulate_2d 2 15 (\_ j -> column observation i j)
  let of_weights = tabulate p (\i -> weights_begin + i32.i64 i)
  let rows = tabulate (3 * p + 1) (\i -> i32.i64 (15 * i64.min i (2 * p) + i64.max 0 (i - 2 * p)))
  in (rows,
      flatten_3d (map2 columns observations (map i32.i64 (iota p))) ++ of_weights,
      flatten_3d (map3 values observations weights features) ++ map (\weight -> vjp weight_error weight 1) weights)
