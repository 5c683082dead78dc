-- Two powers and their product, the first example of van Merrienboer et al. 2018: the derivative is what one would write by hand.

#[inline]
def f (x: f64) (y: f64) : f64 =
  let a = x ** 3
  let b = y ** 4
  in a * b

entry in_x (x: f64) (y: f64) : f64 = vjp (\x -> f x y) x 1
entry in_x_by_hand (x: f64) (y: f64) : f64 = 3 * (x * x) * y ** 4
entry in_both (x: f64) (y: f64) : (f64, f64) = vjp (uncurry f) (x, y) 1
entry in_both_by_hand (x: f64) (y: f64) : (f64, f64) = (3 * (x * x) * y ** 4, x ** 3 * (4 * y ** 3))
entry forward (x: f64) (y: f64) : f64 = jvp (\x -> f x y) x 1
