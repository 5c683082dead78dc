-- Jacobians: directions in the order in which their rows are wanted, directions that repeat over pairs of variables, and tangents of the
-- vertices that a point picks.

def one_hot (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))

def cubes [n] (xs: [n]f64) : [n]f64 = map2 (\x i -> x * x * x + xs[(i + 1) % n] * f64.i64 i) xs (iota n)

-- Rows that change places, or not.
-- ==
-- entry: rotated
-- input { 1i64 [1.0, 2.0, 3.0] } output { [[0.0, 12.0, 0.0], [0.0, 1.0, 27.0], [3.0, 0.0, 2.0]] }
-- input { 0i64 [1.0, 2.0, 3.0] } output { [[3.0, 0.0, 2.0], [0.0, 12.0, 0.0], [0.0, 1.0, 27.0]] }
-- input { -4i64 [1.0, 2.0, 3.0] } output { [[0.0, 1.0, 27.0], [3.0, 0.0, 2.0], [0.0, 12.0, 0.0]] }
entry rotated [n] (k: i64) (xs: [n]f64) : [n][n]f64 =
  let J = map (\i -> jvp cubes xs (one_hot n i)) (iota n)
  in if k == 0 then J else rotate k J

-- Of matrices, as rows.
-- ==
-- entry: flat_and_reversed
-- input { false [1.0, 2.0, 3.0] }
-- output { [[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 2.0, 6.0], [2.0, 2.0, 3.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0],
--            [0.0, 1.0, 0.0, 1.0, 4.0, 3.0, 0.0, 3.0, 0.0]] }
-- input { true [1.0, 2.0] } output { [[2.0, 2.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0]] }
entry flat_and_reversed [n] (plain: bool) (xs: [n]f64) : [n][]f64 =
  let outer (ys: [n]f64) = map (\y -> map (* y) ys) ys
  let J = map flatten (map (\i -> jvp outer xs (one_hot n i)) (iota n))
  in if plain then J else drop 2 J ++ take 2 J :> [n][n * n]f64

-- Two directions for all pairs.
-- ==
-- entry: pairs
-- input { [1.0, 2.0, 3.0, 4.0] [0.5, 0.25] } output { [[0.5, 0.25], [4.0, 8.0]] }
-- input { [1.0, 2.0, 3.0] [0.5, 0.25] } error: size
-- input { empty([0]f64) empty([0]f64) } output { empty([2][0]f64) }
entry pairs [m] [n] (us: [m]f64) (xs: [n]f64) : [2][n]f64 =
  let f (us: [m]f64) = map2 (\u x -> u[0] * x + u[1] * u[1]) (unflatten (us :> [n * 2]f64)) xs
  in tabulate 2 (\i -> jvp f us (flatten (replicate (m / 2) (one_hot 2 i)) :> [m]f64))

-- What repeats as it is in memory.
-- ==
-- entry: repeated
-- input { 2i64 [3.0, 1.0, 2.0] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] }
-- output { [[3.0, 5.0, 5.0, 7.0, 7.0, 9.0], [4.0, 3.0, 6.0, 5.0, 8.0, 7.0], [5.0, 4.0, 7.0, 6.0, 9.0, 8.0]] }
entry repeated [n] (k: i64) (xs: [n]f64) (ys: [n * 2]f64) : [3][n * 2]f64 =
  let rows = tabulate 3 (\i -> flatten (replicate n [f64.i64 (i + k), xs[i]]))
  in map (map2 (+) ys) rows

-- Columns of three rows at a time.
-- ==
-- entry: picked
-- input { [1i64, 0i64, 1i64] [[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]] [1.0] }
-- output { [[[0.8414709848078965], [1.1411200080598671], [1.0410757253368614]],
--            [[0.479425538604203], [1.9092974268256817], [1.2431975046920718]],
--            [[0.8414709848078965], [1.1411200080598671], [1.0410757253368614]]] }
-- input { [2i64] [[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]] [1.0, 2.0] } error: out of bounds
entry picked [n] [m] [k] (is: [k]i64) (vertices: [3][n]f64) (weights: [m]f64) : [k][3][m]f64 =
  let moved = map (\row -> map (\x -> map (\w -> f64.sin (w * x)) weights) row) vertices
  in map (\i -> let p = moved[:, i] in map2 (\row j -> map (+ f64.i64 j) row) p (iota 3)) is

-- Also where all of it is needed: they stay as they are.
-- ==
-- entry: picked_and_kept
-- input { [1i64, 0i64] [[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]] [1.0, 2.0] }
-- output { [[[1.0, 2.0], [3.0, 6.0], [5.0, 10.0]], [[0.5, 1.0], [2.0, 4.0], [4.0, 8.0]]]
--          [[[0.5, 1.0], [1.0, 2.0]], [[2.0, 4.0], [3.0, 6.0]], [[4.0, 8.0], [5.0, 10.0]]] }
entry picked_and_kept [n] [m] [k] (is: [k]i64) (vertices: [3][n]f64) (weights: [m]f64) : ([k][3][m]f64, [3][n][m]f64) =
  let moved = map (\row -> map (\x -> map (\w -> w * x) weights) row) vertices
  in (map (\i -> moved[:, i]) is, moved)

-- Tangents of picked vertices.
-- ==
-- entry: tangents
-- input { [1i64, 0i64] [0.5, 1.0, 1.5, 2.0] [[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]] }
-- output { [[-0.8775825618903728, 0.0, 0.0, -0.48445621085532237, 0.0, 0.0], [0.0, 2.9699774898013365, 0.0, 0.0, 0.8322936730942848, 0.0],
--            [0.0, 0.0, -1.7331765891751292, 0.0, 0.0, -3.840681146601464], [-1.0, -3.0, -5.0, -0.5, -2.0, -4.0]] }
entry tangents [n] [k] (is: [k]i64) (angles: [4]f64) (vertices: [3][n]f64) : [4][k * 3]f64 =
  let f (as: [4]f64) =
    let turned = map2 (\row j -> map (\x -> f64.sin (as[j] * x) + as[3] * x) row) vertices (iota 3)
    in map (\i -> map (1 -) turned[:, i]) is
  in map flatten (tabulate 4 (\i -> jvp f angles (one_hot 4 i)))
