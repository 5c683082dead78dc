-- Arrays of tuples and records: arrays of their parts in the emitted program.

type particle = {mass: f64, position: (f64, f64)}

def energy (p: particle) : f64 = 0.5 * p.mass * (p.position.0 ** 2 + p.position.1 ** 2)

def particles [n] (masses: [n]f64) (xs: [n]f64) (ys: [n]f64) : [n]particle =
  map3 (\mass x y -> {mass, position = (x, y)}) masses xs ys

-- ==
-- entry: total_energy_vjp
-- input { [2f64, 4f64] [1f64, 3f64] [1f64, 0f64] } output { [1f64, 4.5f64] [2f64, 12f64] [2f64, 0f64] }
entry total_energy_vjp [n] (masses: [n]f64) (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let ps = particles masses xs ys
  let adjoints = vjp (\ps -> f64.sum (map energy ps)) ps 1
  in unzip3 (map (\p -> (p.mass, p.position.0, p.position.1)) adjoints)

-- | Swaps the components, and scales one of them.
entry swap [n] (xs: [n]f64) (is: [n]i32) : ([n]i32, [n]f64) =
  unzip (map (\(x, i) -> (i + 1, 2 * x)) (zip xs is))

entry swap_jvp [n] (xs: [n]f64) (xs_tan: [n]f64) : ([n]f64, [n]f64) =
  jvp (\xs -> unzip (map (\x -> (x * x, f64.cos x)) xs)) xs xs_tan
