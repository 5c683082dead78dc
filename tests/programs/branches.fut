-- Branches inside a map, and one around whole arrays, with their derivatives.

def relu_like (x: f64) : f64 = if x > 0.25 then x * x else if x < -0.25 then f64.exp x else 0.5 * x

-- ==
-- entry: elementwise
-- input { [-1f64, 0f64, 3f64] } output { [0.36787944117144233f64, 0.5f64, 6f64] }
entry elementwise [n] (xs: [n]f64) : [n]f64 = vjp (map relu_like) xs (replicate n 1)

def choose [n] (flag: bool) (xs: [n]f64) : [n]f64 = if flag then map f64.cos xs else scan (+) 0 xs

entry chosen [n] (flag: bool) (xs: [n]f64) : [n]f64 = choose flag xs
entry chosen_vjp [n] (flag: bool) (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (choose flag) xs seed

-- | A branch whose sides use different free variables.
entry sides [n] (xs: [n]f64) (a: f64) (b: f64) : (f64, f64) =
  vjp (\(a, b) -> f64.sum (map (\x -> if x < 0 then a * x else b * x * x) xs)) (a, b) 1

-- Both branches update what is no array in memory yet.
-- ==
-- entry: update_replicated
-- input { [1i32, 2i32] } output { [[0i32, 0i32], [2i32, 4i32]] }
-- input { [1i32, 2i32, 3i32, 4i32] } output { [[2i32, 4i32, 6i32, 8i32], [0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32]] }
entry update_replicated [n] (xs: [n]i32) : [n][n]i32 =
  let zss = replicate n (replicate n 0)
  let ys = map (* 2) xs
  in if n == 0 then zss else if n > 3 then zss with [0] = ys else zss with [n - 1] = ys

-- ==
-- entry: update_given
-- input { [[1i32, 2i32], [3i32, 4i32]] [7i32, 8i32] } output { [[1i32, 2i32], [7i32, 8i32]] }
-- input { [[1i32, 2i32], [3i32, 4i32]] [-7i32, 8i32] } output { [[-7i32, 8i32], [3i32, 4i32]] }
entry update_given [n] (xss: *[n][2]i32) (ys: [2]i32) : *[n][2]i32 =
  if n < 2 then xss else if ys[0] < 0 then xss with [0] = ys else xss with [1] = ys

-- | One branch starts a loop from what the other one yields: their adjoints come from one array, and are two.
-- ==
-- entry: loop_or_array
-- input { true [0.5f64, 0.25f64, 1f64] [1f64, 2f64, 3f64] } output { [0f64, 2.707733353781717f64, 0f64] }
-- input { false [0.5f64, 0.25f64, 1f64] [1f64, 2f64, 3f64] } output { [0.19261572680844435f64, 3.5030351534374713f64, 0.308578661975957f64] }
entry loop_or_array [n] (is_loop: bool) (xs: [n]f64) (seeds: [n]f64) : [n]f64 =
  let scaled (xs: [n]f64) =
    let ys = map f64.tanh xs
    let e = if n > 0 then ys[1 % n] else 0
    in map (* e) (if is_loop then loop zs = xs for _i < 4i64 do map (\z -> f64.sin e + 0 * z) zs else ys)
  in vjp scaled xs seeds
