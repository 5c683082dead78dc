-- Functions and expressions that return sweeps run again, and keep nothing of.

#[checkpoint]
def layer [n] (w: f64) (xs: [n]f64) : [n]f64 =
  let ys = map (\x -> f64.sin (w * x)) xs
  let zs = scan (+) 0 ys
  in map2 (\y z -> y * z / f64.i64 n + w) ys zs

def chain [n] (ws: [3]f64) (xs: [n]f64) : f64 =
  f64.sum (layer ws[2] (layer ws[1] (layer ws[0] xs)))

-- | One function three times.
-- ==
-- entry: functions
-- input { [1.5f64, 0.5f64, 0.25f64] [1f64, 2f64, 3f64, 4f64, 0.5f64] }
-- output { [0.08975474594545188f64, 0.5626202988444589f64, 5.926109564434107f64] [0.0005138730548840135f64, -0.0035170899603112903f64, 0.00048785268193162075f64, 0.001422953985779735f64, 0.0048568895167157376f64] }
entry functions [n] (ws: [3]f64) (xs: [n]f64) : ([3]f64, [n]f64) = vjp (\(ws, xs) -> chain ws xs) (ws, xs) 1

#[checkpoint]
def mixed [n] (w: f64) (xs: [n]f64) : [n]f64 =
  let ys = map (\x -> f64.sin (w * x)) xs
  in map2 (\y z -> y * z + w) ys (rotate 1 ys)

-- | Derivatives of what is run again.
-- ==
-- entry: second
-- input { [1.5f64, 0.5f64, 0.25f64] [1f64, 2f64, 3f64, 4f64, 0.5f64] }
-- output { [[-1.1406982177990315f64, 1.6491668219656452f64, 2.7805522363809114f64], [1.6491668219656455f64, 3.093667250116466f64, 11.905694512517417f64], [2.7805522363809114f64, 11.905694512517416f64, 9.085390705267496f64]] }
entry second [n] (ws: [3]f64) (xs: [n]f64) : [3][3]f64 =
  tabulate 3 (\i -> jvp (\ws -> vjp (\ws -> f64.sum (mixed ws[2] (mixed ws[1] (mixed ws[0] xs)))) ws 1) ws (tabulate 3 (\j -> f64.bool (i == j))))

-- | An expression that yields several values, and one in which elements are updated in place.
-- ==
-- entry: expressions
-- input { [1f64, 2f64, 0.3f64] }
-- output { [0.8063518828549106f64, -14.548212218038998f64, -0.16220693414469378f64] }
entry expressions [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         let (ys, total) = #[checkpoint] (let ys = map (\x -> x * f64.cos x) xs in (ys, f64.sum (map2 (*) ys xs)))
         let zs = #[checkpoint] (copy ys with [0] = ys[0] * ys[n - 1])
         in total * f64.sum (map f64.exp zs))
      xs 1

-- | How many values there are, the expression finds out.
-- ==
-- entry: found
-- input { [1f64, 2f64, 0.3f64] }
-- output { [6.722533605507097f64, 30.128305384781502f64, 0.0f64] }
-- input { [0.1f64] }
-- output { [0.0f64] }
entry found [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (#[checkpoint] (map f64.exp (filter (> 1) (map (* 1.5) xs))))) xs 1

-- | Each thread runs again what is its own.
-- ==
-- entry: in_threads
-- input { [[1.5f64, 0.5f64, 0.25f64], [1f64, 2f64, 3f64]] [1f64, 0.5f64] }
-- output { [[0.0800708357527761f64, 0.44403690145341557f64, 2.7832019644323998f64], [-3.0644533593798586f64, 0.14060019284689984f64, 3.091404699598427f64]] }
entry in_threads [m][n] (wss: [m][3]f64) (xs: [n]f64) : [m][3]f64 =
  map (\ws -> vjp (\ws -> #[checkpoint] (chain ws xs)) ws 1) wss

-- | In the steps of a loop that keeps some of its states.
-- ==
-- entry: in_loops
-- input { 5i64 [1f64, 2f64, 3f64] }
-- output { [-0.0002483912235407465f64, 0.0020448009617294867f64, 0.00047273539074165475f64] }
entry in_loops [n] (steps: i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (#[checkpoint(2)] loop xs = xs for i < steps do #[checkpoint] (layer (0.5 + f64.i64 i) (map f64.cos xs)))) xs 1
