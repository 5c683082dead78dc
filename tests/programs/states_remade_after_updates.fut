-- Loop states that are made anew after they, or parts of them, were updated in place.

-- Points read others' elements of the updated state.
-- ==
-- entry: updated
-- input { 3i64 [1.0, 2.0, 4.0] } output { [16.0, 16.0, 16.0] }
-- input { 0i64 [1.0, 2.0] } output { [1.0, 2.0] }
entry updated [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys[1] = f64.i64 i
    in tabulate n (\_ -> xs[n - 1] + ys[0] + ys[1])

-- They read their own.
-- ==
-- entry: own
-- input { 3i64 [1.0, 2.0, 4.0] } output { [8.0, 4.0, 32.0] }
entry own [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys[1] = f64.i64 i
    in map (* 2) ys

-- In a branch, and in a loop, as the state's own memory.
-- ==
-- entry: in_branch
-- input { 3i64 [1.0, 2.0, 4.0] } auto output
-- input { 4i64 [1.0, 2.0] } auto output
entry in_branch [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys = if i % 2 == 0 then (let ys[0] = 3 in ys) else ys
    in tabulate n (\j -> ys[(j + 1) % n] + ys[0])

-- ==
-- entry: in_loop
-- input { 3i64 [1.0, 2.0, 4.0] } auto output
-- input { 4i64 [1.0, 2.0] } auto output
entry in_loop [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys = loop (ys: *[n]f64) = ys for j < 2 do ys with [j] = ys[1 - j] + f64.i64 i
    in tabulate n (\j -> ys[(j + 1) % n] + ys[0])

-- By points that add to it.
-- ==
-- entry: by_additions
-- input { 3i64 [1.0, 2.0, 4.0] [0i64, 2i64, 0i64] } auto output
entry by_additions [n] (k: i64) (xs: [n]f64) (is: [n]i64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys = reduce_by_index ys (+) 0 is xs
    in tabulate n (\j -> ys[n - 1 - j] + f64.i64 i)

-- ==
-- entry: by_points
-- input { 3i64 [1.0, 2.0, 4.0] [0i64, 2i64, 0i64] } auto output
entry by_points [n] (k: i64) (xs: [n]f64) (is: [n]i64) : [n]f64 =
  loop (ys: *[n]f64) = copy xs for i < k do
    let ys = scatter ys is (replicate n (f64.i64 i))
    in tabulate n (\j -> ys[n - 1 - j] + xs[j])

-- Inside of a point.
-- ==
-- entry: of_each
-- input { 3i64 [1.0, 2.0, 4.0] } auto output
entry of_each [n] (k: i64) (xs: [n]f64) : [n][3]f64 =
  map (\x -> loop (ys: *[3]f64) = [x, 2 * x, 3 * x] for i < k do
               let ys[1] = x + f64.i64 i
               in map (\j -> ys[(j + 1) % 3] + ys[0]) (iota 3)) xs
