-- Inner loops of a step that are kept, beside arrays whose updates are taken back: by the body's forward sweep, which then stands in the
-- place of the body, too.

def step [n] (k: i64) (x: [n]f64) : f64 =
  let ys = map (\v -> 0.5 + 0.3 * v) x
  let zz = tabulate_2d n 3 (\i j -> 0.4 * x[i] + 0.1 * f64.i64 j)
  let t = x[1] * x[2]
  let s = x[0]
  let (ys, zz, t, s) = loop ((ys: *[n]f64), (zz: *[n][3]f64), (t: f64), (s: f64)) = (ys, zz, t, s) for i0 < n do
    let zz = loop (zz: *[n][3]f64) = zz for i1 < 2 do
      let zz = #[stripmine(2)] loop (zz: *[n][3]f64) = zz for i2 < (n - i0 % n) do
        let (zz, w8) = loop ((zz: *[n][3]f64), w8) = (zz, 0i64) while w8 < (k %% 4) do
          let zz = tabulate_2d n 3 (\m7 m7b -> f64.sin ((0.4 * x[(w8 %% n)] * ys[(m7 %% n)] + 0.2)))
          in (zz, w8 + 1)
        in zz
      let zz = #[checkpoint] loop (zz: *[n][3]f64) = zz for i11 < (n - i0 % n) do
        let zz[1] = [(0.5 * zz[(n - 1), 2] - 0.4 * x[(i1 %% n)]), (0.4 * t * x[(n - 2)] + 0.2), f64.sin (s)]
        in zz
      in zz
    let (ys, zz, t, s) = #[checkpoint] loop ((ys: *[n]f64), (zz: *[n][3]f64), (t: f64), (s: f64)) = (ys, zz, t, s) for i12 < k do
      let ys[(i12 %% n)] = (0.4 * (0.4 * ys[0] * x[1] + 0.2) * (0.5 * ys[((i12 * 3 + 0) %% n)] - 0.4 * 0.3) + 0.2)
      in (ys, zz, t, s)
    in (ys, zz, t, s)
  in f64.sum (map2 (*) ys (tabulate n (\i -> 0.1 + 0.2 * f64.i64 (i % 3)))) + f64.sum (map (\r -> r[0] * 0.3 + r[1] * r[2]) zz) + t + s

-- Against forward mode.
-- ==
-- entry: main
-- input { 2i64 [0.3, 0.7, 0.2, 0.9] } output { true }
-- input { 0i64 [0.3, 0.7, 0.25] } output { true }
-- input { 5i64 [0.3, -0.7, 0.25, 1.3, 0.1] } output { true }
entry main [n] (k: i64) (x: [n]f64) : bool =
  let by_tangents = tabulate n (\i -> jvp (step k) x (tabulate n (\j -> f64.bool (i == j))))
  in and (map2 (\a b -> f64.abs (a - b) < 1e-12) (vjp (step k) x 1) by_tangents)
