-- What bindings differentiate.

-- | A layer.
entry layer [n] [m] (weights: [n][m]f64) (bias: [n]f64) (xs: [m]f64) : [n]f64 =
  map2 (\row b -> f64.tanh (f64.sum (map2 (*) row xs) + b)) weights bias

-- | Numbers that are differentiated and others that are not, and several results, one of them an integer.
entry swing [n] (places: [n]f64) (stiffness: f64) (steps: i64) (damped: bool) : (f64, [n]f64, i64) =
  let loss = if damped then 0.9 else 1.0
  let swung = loop xs = places for _i < steps do map (\x -> loss * (x - stiffness * f64.sin x)) xs
  in (f64.sum (map (\x -> x * x) swung), swung, i64.sum (map (\x -> if x > 0 then 1 else 0) swung))

-- | Writes a value into an array that the caller gives away.
entry overwritten [n] (xs: *[n]f64) (place: i64) (value: f64) : [n]f64 =
  map (\x -> x * x) (xs with [place] = value)

type point = {x: f64, y: f64}
entry longest [n] (points: [n]point) : f64 = f64.maximum (map (\p -> f64.sqrt (p.x * p.x + p.y * p.y)) points)

-- | The size of the result depends on data.
entry larger [n] (xs: [n]f64) (limit: f64) : []f64 = map (\x -> x * x) (filter (> limit) xs)

-- | Numbers alone.
entry counted (start: i32) (k: i64) : [k]i32 = map (\i -> start + i32.i64 i) (iota k)
entry single [n] (xs: [n]f32) (factor: f32) : [n]f32 = map (* factor) xs
entry half_of [n] (xs: [n]f16) (mask: [n]bool) (bytes: [n]u8) : [n]f16 =
  map3 (\x m b -> if m then x / 2 else f16.u8 b) xs mask bytes
-- Names that are none in C++ or Python.
entry const [n] (class: [n]f64) (x': f64) : f64 = f64.sum class * x'
entry y' (call: f64) : f64 = call * call
