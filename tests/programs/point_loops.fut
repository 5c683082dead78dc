-- Loops that map their state, of which each point goes through all steps, and those that cannot be run that way.

-- Rows that grow by what other arrays say of the point and of the step.
-- ==
-- entry: weighted
-- input { [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]] [[1.0, 2.0], [3.0, 4.0]] }
-- output { [[31.0, 42.0], [62.0, 84.0], [93.0, 126.0]] }
-- input { empty([0][2]f64) empty([0][3]f64) } output { [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
-- input { empty([2][0]f64) [[1.0, 2.0], [3.0, 4.0]] } output { empty([0][2]f64) }
entry weighted [k] [n] [m] (weights: [k][n]f64) (rows: [k][m]f64) : [n][m]f64 =
  loop xss = replicate n (replicate m 0) for i < k do
    map2 (\xs w -> map2 (\x row -> x + w * row) xs rows[i]) xss weights[i]

-- Maps in maps; products of a step that the points of a column share; parts and turned arrays.
-- ==
-- entry: skinned
-- input { [[[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]], [[5.0, 6.0], [7.0, 8.0], [9.0, 9.0]]] [[1.0, 2.0, 3.0], [0.5, 1.0, 2.0]]
--         [[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]] }
-- output { [[[13.5, 9.25], [270.0, 185.0], [4900.0, 3200.0]], [[22.5, 16.75], [450.0, 335.0], [7900.0, 5600.0]]] }
entry skinned [k] [n] (transforms: [k][3][2]f64) (weights: [k][n]f64) (base: [2][n]f64) : [2][n][2]f64 =
  let step (i: i64) (x: [2]f64) (t: [2]f64) (b: [2]f64) =
    let total = t[0] * b[0] + t[1] * b[1]
    in [x[0] + total, x[1] + total / f64.i64 (i + 1)]
  let size = if n == 0 then 0 else 1
  let scale = replicate n (f64.i64 size)
  in loop xsss = replicate 2 (replicate n [0, 0]) for i < k do
       let weighted = transpose (map (map2 (*) weights[i]) base)
       in map2 (\xss t -> map3 (\x b s -> step i (map (* s) x) t b) xss weighted scale) xsss (take 2 transforms[i])

-- So many points that some are computed in lanes; beside a number a point adds up a row whose size is not known.
-- ==
-- entry: many
-- random input { [3][2][2][5]f64 [3][17]f64 [2][17]f64 } output { true }
-- random input { [2][2][2][3]f64 [2][40]f64 [2][40]f64 } output { true }
-- random input { [4][2][2][1]f64 [4][16]f64 [2][16]f64 } output { true }
-- random input { [1][2][2][0]f64 [1][18]f64 [2][18]f64 } output { true }
-- random input { [0][2][2][3]f64 [0][18]f64 [2][18]f64 } output { true }
entry many [k] [n] [s] (transforms: [k][2][2][s]f64) (weights: [k][n]f64) (base: [2][n]f64) : bool =
  let step w ys xss t =
    unzip (map4 (\y xs w b -> (y + w * b, map3 (\x t0 t1 -> x + (t0 * w + t1 * b)) xs t[0] t[1])) ys xss w base[0])
  let (yss, xsss) =
    loop (yss, xsss) = (replicate 2 (replicate n 0), replicate 2 (replicate n (replicate s 0))) for i < k do
      unzip (map3 (step weights[i]) yss xsss transforms[i])
  let is_sum x xs = f64.abs (x - f64.sum xs) < 1e-9
  let right j l = -- in another order, so that all arrays are stored first
    let (j', l') = (1 - j, n - 1 - l)
    in is_sum yss[j', l'] (map (\i -> weights[i, l'] * base[0, l']) (iota k)) &&
       and (tabulate s (\t -> is_sum xsss[j', l', t] (map (\i -> transforms[i, j', 0, t] * weights[i, l'] + transforms[i, j', 1, t] * base[0, l']) (iota k))))
  in and (flatten (tabulate_2d 2 n right))

-- What the state is at first need not be equal numbers, nor need there be one array, or one place for it.
-- ==
-- entry: fibonacci
-- input { 3i64 [[1i64, 1i64], [0i64, 5i64]] [[1i64, 2i64], [1i64, 0i64]] }
-- output { [[5i64, 7i64], [4i64, 7i64]] [[7i64, 10i64], [5i64, 12i64]] }
-- input { 0i64 [[1i64, 1i64], [0i64, 5i64]] [[1i64, 2i64], [1i64, 0i64]] }
-- output { [[1i64, 1i64], [0i64, 5i64]] [[1i64, 2i64], [1i64, 0i64]] }
entry fibonacci [n] [m] (k: i64) (xss: [n][m]i64) (yss: [n][m]i64) : ([n][m]i64, [n][m]i64) =
  loop (xss, yss) for _i < k do
    unzip (map2 (\xs ys -> (map (+ 1) ys, map2 (+) xs ys)) xss yss)

-- The state that comes out is updated.
-- ==
-- entry: updated
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[7.0, 9.0], [4.0, 6.0]] [[1.0, 2.0], [3.0, 4.0]] }
entry updated [k] [m] (rows: [k][m]f64) : (*[2][m]f64, [k][m]f64) =
  let xss = loop xss = replicate 2 (replicate m 0) for i < k do map (map2 (+) rows[i]) xss
  in (xss with [0] = map (+ 3) xss[0], rows)

-- Points that read what others have.
-- ==
-- entry: neighbours
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0]] } output { [[4.0, 8.0], [6.0, 10.0]] }
entry neighbours [n] [m] (k: i64) (start: [n][m]f64) : [n][m]f64 =
  loop xss = start for _i < k do
    map (\xs -> map2 (+) xs xss[0]) xss

-- A step first computes something of the state, or much that is the same for all points.
-- ==
-- entry: normalised
-- input { 2i64 [[1.0, 3.0], [2.0, 2.0]] } output { [[0.125, 0.375], [0.25, 0.25]] }
entry normalised [n] [m] (k: i64) (start: [n][m]f64) : [n][m]f64 =
  loop xss = start for _i < k do
    let total = f64.sum (map f64.sum xss)
    in map (map (/ total)) xss

-- ==
-- entry: long_sums
-- input { [[1.0, 2.0], [3.0, 4.0]] 2i64 } output { [[10.0, 10.0], [10.0, 10.0]] }
entry long_sums [k] [m] (rows: [k][m]f64) (n: i64) : [n][m]f64 =
  loop xss = replicate n (replicate m 0) for i < k do
    let total = f64.sum rows[i]
    in map (map (+ total)) xss
