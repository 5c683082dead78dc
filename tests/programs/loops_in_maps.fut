-- Loops inside a map: with as many trips as data says, none or a negative number of them too.

-- | x (1 - x), applied `steps` times.
def iterate (steps: i64) (x: f64) : f64 = loop x = x for _i < steps do 0.5 * x + f64.sin x

entry run [n] (steps: [n]i64) (xs: [n]f64) : [n]f64 = map2 iterate steps xs

-- ==
-- entry: same_trips
-- input { -1i64 [0f64, 1f64] } output { [1f64, 1f64] }
-- input { 2i64 [0f64] } output { [2.25f64] }
-- input { 3i64 empty([0]f64) } output { empty([0]f64) }
entry same_trips [n] (steps: i64) (xs: [n]f64) : [n]f64 = vjp (map (iterate steps)) xs (replicate n 1)

-- | The powers of x below x ** m, summed in an array that the loop updates.
def powers (m: i64) (x: f64) : f64 =
  let all = loop all = replicate m 1f64 for i < m - 1 do all with [i + 1] = all[i] * x
  in f64.sum all

-- ==
-- entry: powers_vjp
-- input { 4i64 [2f64, -1f64] } output { [17f64, 2f64] }
-- input { 0i64 [2f64, -1f64] } output { [0f64, 0f64] }
entry powers_vjp [n] (m: i64) (xs: [n]f64) : [n]f64 = vjp (map (powers m)) xs (replicate n 1)
