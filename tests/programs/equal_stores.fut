-- Cells that several elements write to: what is written there, and taken back, may be stored several times.

-- Of numbers between -1 and 1, so that none cancels another.
def joined (x: f64) (y: f64) : f64 = x + y + 0.0625 * x * y

-- ==
-- entry: same_values
-- input { [1f64, 2f64, 3f64] [0i64, 2i64, 0i64, 7i64] 5f64 } output { [5f64, 2f64, 5f64] }
entry same_values [n] [m] (xs: [m]f64) (is: [n]i64) (v: f64) : [m]f64 = scatter (copy xs) is (map (\_ -> v) is)

-- ==
-- entry: same_rows
-- input { [[1f64, 2f64], [3f64, 4f64]] [1i64, 1i64] [5f64, 6f64] } output { [[1f64, 2f64], [5f64, 6f64]] }
entry same_rows [n] [m] [k] (xss: [m][k]f64) (is: [n]i64) (vs: [k]f64) : [m][k]f64 =
  scatter (copy xss) is (map (\_ -> map (* 1) vs) is)

-- ==
-- entry: scatter_vjp
-- input { [1f64, 2f64, 3f64] [0i64, 2i64, 0i64] [10f64, 20f64, 30f64] } output { [0f64, 20f64, 0f64] 40f64 }
entry scatter_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (seed: [m]f64) : ([m]f64, f64) =
  vjp (\(xs, v) -> scatter (copy xs) is (map (\_ -> v) is)) (xs, 5f64) seed

-- ==
-- entry: in_loop_vjp
-- input { [1f64, 2f64] [0i64, 0i64, 1i64] [0.5f64, 0.25f64, 1f64] [1f64, 1f64] }
entry in_loop_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (seed: [m]f64) : ([m]f64, [n]f64) =
  vjp (\(xs, vs) ->
         loop (xs: *[m]f64) = copy xs for _i < 3 do
           reduce_by_index (map f64.sin xs) joined 0 is (map (* 0.5) vs))
      (xs, vs) seed

entry in_place_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (seed: [m]f64) : ([m]f64, [n]f64) =
  vjp (\(xs, vs) ->
         loop (xs: *[m]f64) = copy xs for i < 3 do
           reduce_by_index xs joined 0 is (map (* f64.i64 i) vs))
      (xs, vs) seed
