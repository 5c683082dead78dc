-- Each way in which values are passed on a GPU: numbers, checks, memory that a function allocates.
entry larger [n] (xs: [n]f32) (limit: f32) : ([]f32, i32) = let ys = filter (> limit) xs in (ys, ys[0] |> i32.f32)
entry scaled [n] (xs: [n]f64) (halves: [n]f16) (place: i64) (flag: bool) (factor: f16) : (f64, [n]f16) =
  (xs[place], map (\x -> if flag then x * factor else x) halves)
entry counted (k: i32) : []i32 = iota (i64.i32 k) |> map i32.i64
-- Memory whose size is found while it runs, inside of the function alone.
entry shrunk [n] (xs: [n]f32) (steps: i64) : f32 =
  f32.sum (loop ys = xs for _i < steps do filter (> 0) (map (\y -> y - 1) ys))
