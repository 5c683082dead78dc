-- particle: a charged particle flies past two charges, one of which w moves; w is looked for with which it meets the origin. The field
-- is the gradient of a potential, and the search needs that of the flight: derivatives are nested. Entries say how the outer and the inner
-- gradient are taken: by (f)orward or (r)everse mode.
import "descent"

def potential (w: f64) (x: [2]f64) : f64 =
  let inverse_distance y = 1 / norm [x[0] - 10, x[1] - y]
  in inverse_distance (10 - w) + inverse_distance 0

-- | The square of the abscissa where the particle meets the horizontal axis, by steps of Euler's method.
def miss gradient (w: [1]f64) : f64 =
  let dt = 0.1
  let (x, v, _) =
    loop (x, v, flying) = ([0, 8], [0.75, 0], true) while flying do
      let next = map2 (\x v -> x + dt * v) x v
      in if next[1] > 0
         then (next, map2 (\v slope -> v - dt * slope) v (gradient (potential w[0]) x), true)
         else (x, v, false)
  let landing = x[0] - x[1] / v[1] * v[0]
  in landing * landing

def particle outer inner (w: f64) : f64 = (argmin outer (miss inner) [w])[0]

entry ff w = particle by_forward_mode by_forward_mode w
entry fr w = particle by_forward_mode by_reverse_mode w
entry rf w = particle by_reverse_mode by_forward_mode w
entry rr w = particle by_reverse_mode by_reverse_mode w
