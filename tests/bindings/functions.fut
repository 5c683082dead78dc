-- What bindings pass: every kind of parameter and result, and every way to fail.

type point = {x: f64, y: f64}
type body = {places: [3]f64, mass: (f32, bool)}

-- | Weighted sums of rows, through tanh.
--
-- The second paragraph of the comment.
entry layer [n] [m] (weights: [n][m]f64) (bias: [n]f64) (xs: [m]f64) : [n]f64 =
  map2 (\row b -> f64.tanh (f64.sum (map2 (*) row xs) + b)) weights bias

-- | Writes `value` at places of `xs`, which the caller gives away.
entry overwritten [n] [k] (xs: *[n]f64) (places: [k]i64) (value: f64) : *[n]f64 =
  scatter xs places (map (\_ -> value) places)

-- | Those elements that exceed a limit, and how many they are.
entry larger [n] (xs: [n]f64) (limit: f64) : ([]f64, i64) =
  let chosen = filter (> limit) xs in (chosen, length chosen)

entry moved (body: body) (by: i8) : body = body with places = map (+ f64.i8 by) body.places
entry centre [n] (points: [n]point) : point =
  {x = f64.sum (map (.x) points) / f64.i64 n, y = f64.sum (map (.y) points) / f64.i64 n}

entry element [n] (xs: [n]f64) (i: i64) : f64 = xs[i]
entry scaled [n] (xs: [n]f32) (factor: f32) (negate: bool) : ([n]f32, f32, bool) =
  let factor = if negate then -factor else factor
  in (map (* factor) xs, f32.sum xs * factor, factor > 0)

-- Sizes that are arithmetic, a parameter, and a number.
entry extended [n] (xs: [n]f64) (ys: [n + 1]f64) (k: i64) (zs: [k]i32) (lambda: [2]u8) : []f64 =
  map (+ (f64.i32 (i32.sum zs) + f64.u8 lambda[1])) (concat xs ys)
entry repeated (k: i64) (x: f64) : [k]f64 = replicate k x
entry halves (k: i64) (limit: i64) : []i64 = iota (i64.min (k / 2) limit)
entry nothing (_: f64) : () = ()

entry integers (a: i8) (b: u8) (c: i16) (d: u16) (e: i32) (f: u32) (g: i64) (h: u64)
  : (i8, u8, i16, u16, i32, u32, i64, u64) = (a, b, c, d, e, f, g, h)
entry narrow [n] (xs: [n]u16) (flags: [n]bool) (halves: [n]f16) : ([n]u16, [n]bool, [n]f16) =
  (map (+ 1) xs, map (\flag -> !flag) flags, map (* 2) halves)

-- | Long enough to see that other threads run meanwhile.
entry work (steps: i64) (x: f64) : f64 = loop x for i < steps do f64.cos (x + f64.i64 i)
