-- Loops that keep some of their states: on the host, in a thread, of a while loop, within each other.

-- | One explicit step of the heat equation on a rod whose ends are kept at zero.
def step [n] (k: f64) (u: [n]f64) : [n]f64 =
  tabulate n (\i ->
    let left = if i == 0 then 0 else u[i - 1]
    let right = if i == n - 1 then 0 else u[i + 1]
    in u[i] + k * (left - 2 * u[i] + right))

def distance [n] (xs: [n]f64) (ys: [n]f64) : f64 = map2 (-) xs ys |> map (\x -> x * x) |> f64.sum

-- | The host runs the loop, so that it follows the schedule.
-- ==
-- entry: heat
-- input { 20i64 3i64 0.1f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -28.630546555090113f64 [0.24110169685307067f64, 0.40437310107003854f64, 0.42420460571840374f64, 0.2732526035205224f64] }
-- input { 1i64 3i64 0.1f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -32.5f64 [1.0f64, 2.1f64, 4.050000000000001f64, 5.6000000000000005f64] }
-- input { 0i64 3i64 0.1f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { 0.0f64 [1.0f64, 2.0f64, 4.0f64, 7.5f64] }
-- input { 9i64 1i64 0.1f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -61.393234178203315f64 [0.8188269591036664f64, 1.492366211701456f64, 1.7692111439241125f64, 1.2764053278028853f64] }
-- input { 9i64 100i64 0.1f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -61.393234178203315f64 [0.8188269591036664f64, 1.492366211701456f64, 1.7692111439241125f64, 1.2764053278028853f64] }
entry heat [n] (steps: i64) (states: i64) (k: f64) (start: [n]f64) (measured: [n]f64) : (f64, [n]f64) =
  vjp (\(k, start) -> distance measured (#[checkpoint(states)] loop u = start for _i < steps do step k u)) (k, start) 1

-- | Each step changes an element in place.
-- ==
-- entry: in_place
-- input { 13i64 [1.5f64, 0.5f64, 2f64] [1f64, 2f64, 3f64] } output { [-0.1433867489644233f64, -0.8772278522496696f64, -0.9972121840533044f64] }
-- input { 0i64 [1.5f64, 0.5f64, 2f64] [1f64, 2f64, 3f64] } output { [1.0f64, 2.0f64, 3.0f64] }
entry in_place [n] (steps: i64) (xs: [n]f64) (seeds: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> #[checkpoint] loop ys = copy xs for i < steps do ys with [i % n] = ys[i % n] * f64.cos ys[(i + 1) % n]) xs seeds

-- | Each thread keeps states of its own.
-- ==
-- entry: in_threads
-- input { [0i64, 1i64, 5i64, 30i64] [0.5f64, 0.25f64, 1.5f64, 0.75f64] } output { [1.0f64, 0.49902375535004956f64, -0.2910242544077746f64, -1.7621202432698968f64] }
entry in_threads [n] (steps: [n]i64) (xs: [n]f64) : [n]f64 =
  map2 (\m x -> vjp (\x -> #[checkpoint(3)] loop y = x for i < m do f64.sin (y * x) + 0.1 * f64.i64 i) x 1) steps xs

-- | How long it takes is found out first.
-- ==
-- entry: while_loop
-- input { 0.75f64 [0.5f64, 0.25f64] } output { 137.51915228366852f64 [18.189894035458565f64, 18.189894035458565f64] }
entry while_loop [n] (x: f64) (ys: [n]f64) : (f64, [n]f64) =
  vjp (\(x, ys) -> f64.sum (#[checkpoint_bytes(48)] loop ys while f64.sum ys < 100 do map (\y -> y * 1.25 + x) ys)) (x, ys) 1

-- | Each step of a loop has one of its own.
-- ==
-- entry: nested
-- input { 6i64 [0.5f64, 0.25f64] [1f64, 2f64] } output { [-0.3208680328094055f64, -0.440071618580528f64] }
entry nested [n] (steps: i64) (xs: [n]f64) (seeds: [n]f64) : [n]f64 =
  vjp (\xs -> #[checkpoint(2)] loop ys = xs for i < steps do
                #[checkpoint(2)] loop zs = map f64.sin ys for _j < i do map2 (\z x -> f64.cos (z * x)) zs xs) xs seeds

-- | Until there is little left, but no more than a hundred steps.
def slow [n] (states: i64) (until: f64) (k: f64) (start: [n]f64) : [n]f64 =
  let (u, _) = #[checkpoint_online(states)] loop (u, i) = (start, 0i64) while i < 100 && until < distance u (replicate n 0) do (step k (map f64.sin u), i + 1)
  in u

-- | Nobody knows how long it takes: states are thinned as the loop runs.
-- ==
-- entry: online
-- input { 3i64 0.05f64 0.2f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { 2.0615343028843185f64 [-0.11176132283295354f64, 0.15614149138657707f64, 0.4717195978893438f64, 0.2051973332486783f64] }
-- input { 2i64 0.5f64 0.2f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -0.1710383913713347f64 [-0.16000451122305334f64, 0.28163930197747056f64, 0.9512287018066615f64, 0.4143213914163809f64] }
-- input { 5i64 0.2f64 0.2f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { 0.9582782783352475f64 [-0.1683077757143971f64, 0.24437912804625653f64, 0.7489170607257994f64, 0.32242879405137015f64] }
-- input { 24i64 5f64 0.2f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { -1.8648397492960234f64 [0.06533830041110641f64, 0.244993461009653f64, 1.4209353859012415f64, 0.7614690635915109f64] }
-- input { 3i64 100f64 0.2f64 [1f64, 2f64, 3f64, 4f64] [0.5f64, 1f64, 1f64, 0.25f64] } output { 0.0f64 [1.0f64, 2.0f64, 4.0f64, 7.5f64] }
entry online [n] (states: i64) (until: f64) (k: f64) (start: [n]f64) (measured: [n]f64) : (f64, [n]f64) =
  vjp (\(k, start) -> distance measured (slow states until k start)) (k, start) 1

-- | Each thread thins states of its own.
-- ==
-- entry: online_in_threads
-- input { 5i64 [0f64, 1f64, 2f64, 40f64] [0.5f64, 0.25f64, 1f64, 1.5f64] } output { [2.0f64, 3.182517045853004f64, 0.02680969256970872f64, -0.7815583892748601f64] }
-- input { 2i64 [0f64, 1f64, 2f64, 40f64] [0.5f64, 0.25f64, 1f64, 1.5f64] } output { [2.0f64, 3.182517045853004f64, 0.02680969256970872f64, -0.7815583892748601f64] }
entry online_in_threads [n] (states: i64) (ends: [n]f64) (xs: [n]f64) : [n]f64 =
  map2 (\end x ->
    let sum_of (x: f64) =
      let (ys, _) = #[checkpoint_online(states)] loop (ys, t) = ([x, x * x], 0f64) while t < f64.min end 50 do (map (\y -> f64.sin (y + x)) ys, t + 1)
      in f64.sum ys
    in vjp sum_of x 1) ends xs
