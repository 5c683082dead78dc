-- A damped pendulum for JAX: fit.py finds gravity and friction from how it swings.

-- | Angles after each of `n` steps of an explicit scheme, from an angle at rest.
entry swing (n: i64) (gravity: f32) (friction: f32) (angle: f32) : [n]f32 =
  let (_, _, angles) =
    loop (angle, speed, angles) = (angle, 0, replicate n 0) for i < n do
      let speed = speed - 0.02 * (gravity * f32.sin angle + friction * speed)
      let angle = angle + 0.02 * speed
      in (angle, speed, angles with [i] = angle)
  in angles
