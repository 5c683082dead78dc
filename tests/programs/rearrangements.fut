-- Operations that move elements and compute nothing, and their adjoints.

-- ==
-- entry: shapes
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] [[4i32, 5i32, 6i32], [1i32, 2i32, 3i32]] [[2i32, 3i32, 1i32], [5i32, 6i32, 4i32]] }
entry shapes [n] [m] (xss: [n][m]i32) : ([m][n]i32, [n][m]i32, [n][m]i32) =
  (transpose xss, reverse xss, map (rotate 1) xss)

-- ==
-- entry: generated
-- input { 3i64 } output { [2i64, 1i64, 0i64] [[0i64, 0i64, 0i64], [1i64, 1i64, 1i64], [2i64, 2i64, 2i64]] }
-- input { 0i64 } output { empty([0]i64) empty([0][0]i64) }
entry generated (n: i64) : ([n]i64, [n][n]i64) = (reverse (iota n), map (replicate n) (iota n))

entry transpose_vjp [n] [m] (xss: [n][m]f64) (seed: [m][n]f64) : [n][m]f64 =
  vjp (transpose >-> map (map f64.sin)) xss seed

-- ==
-- entry: concat_vjp
-- input { [1f64, 2f64] [3f64] [1f64, 10f64, 100f64] } output { [2f64, 40f64] [600f64] }
-- input { empty([0]f64) [3f64] [1f64] } output { empty([0]f64) [6f64] }
entry concat_vjp [n] [m] (xs: [n]f64) (ys: [m]f64) (seed: [n + m]f64) : ([n]f64, [m]f64) =
  vjp (\(xs, ys) -> map (\z -> z * z) (xs ++ ys)) (xs, ys) seed

entry rotate_vjp [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (\xs -> map2 (*) xs (rotate 2 xs)) xs seed

entry replicate_vjp [n] (xs: [n]f64) (x: f64) : ([n]f64, f64) =
  vjp (\(xs, x) -> f64.sum (map2 (*) (replicate n (f64.sin x)) xs)) (xs, x) 1

-- Of four dimensions, of which the last two change places.
-- ==
-- entry: cubes
-- input { 2i64 3i64 2i64 4i64 }
-- output { [[[[0i64, 4i64], [1i64, 5i64], [2i64, 6i64], [3i64, 7i64]], [[8i64, 12i64], [9i64, 13i64], [10i64, 14i64], [11i64, 15i64]],
--            [[16i64, 20i64], [17i64, 21i64], [18i64, 22i64], [19i64, 23i64]]],
--           [[[24i64, 28i64], [25i64, 29i64], [26i64, 30i64], [27i64, 31i64]], [[32i64, 36i64], [33i64, 37i64], [34i64, 38i64], [35i64, 39i64]],
--            [[40i64, 44i64], [41i64, 45i64], [42i64, 46i64], [43i64, 47i64]]]] }
-- input { 1i64 2i64 0i64 2i64 } output { empty([1][2][2][0]i64) }
entry cubes (n: i64) (m: i64) (k: i64) (d: i64) : [n][m][d][k]i64 =
  map (map transpose) (tabulate_3d n m k (\i j l -> tabulate d (\t -> ((i * m + j) * k + l) * d + t)))
