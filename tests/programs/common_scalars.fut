-- Functions and branches that compute the same: derivatives of several results, and return sweeps of branches.

def turned (angle: f64) (x: f64) (y: f64) =
  let size = x * x + y * y
  in if size != 0
     then let r = f64.sqrt size
          let s = f64.sin (angle * r)
          let c = f64.cos (angle * r)
          in (c * x - s * y / r, s * x + c * y / r, f64.exp (s * c) - f64.log (1 + r))
     else (x + angle, y - angle, angle)

def both_gradients (angle: f64) (x: f64) (y: f64) =
  let first (a, x, y) = (turned a x y).0 * (turned a x y).2
  let second (a, x, y) = (turned a x y).1 - (turned a x y).2
  in (vjp first (angle, x, y) 1, vjp second (angle, x, y) 1)

-- ==
-- entry: gradients
-- input { [0.5, 0.25] [0.0, 0.0] [0.0, 0.0] }
-- output { [[1.0, 0.5, 0.0, -2.0, 0.0, 1.0], [0.5, 0.25, 0.0, -2.0, 0.0, 1.0]] }
-- input { [0.5] [3.0] [4.0] }
-- output { [[4.2382260570838355, 1.4145977565212444, 0.7738817469782098, -15.289142225762669, -0.14196660234929792,
--            -1.1474803850470594]] }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) } output { empty([0][6]f64) }
entry gradients [n] (angles: [n]f64) (xs: [n]f64) (ys: [n]f64) =
  map3 (\a x y ->
          let ((da, dx, dy), (ea, ex, ey)) = both_gradients a x y
          in [da, dx, dy, ea, ex, ey])
       angles xs ys

-- Branches that fail on the way, on one side and behind it.
-- ==
-- entry: failing
-- input { [1i64, 2i64] 2i64 } output { [5i64, 42i64] }
-- input { [0i64, 2i64] 2i64 } output { [2i64, 42i64] }
-- input { [1i64, 2i64] 0i64 } error: division
-- input { [0i64] 0i64 } output { [0i64] }
entry failing [n] (xs: [n]i64) (k: i64) =
  map (\x ->
         let big = x > 0
         let a = if big then let q = 100 * x / k % 7 / (x + 1) + x ** 5 % (x + 9) in q * 3 else k
         let b = a * a + 1 - a * a - 1 + x
         in if big then let q = 100 * x / k % 7 / (x + 1) + x ** 5 % (x + 9) in q + a + b else a + b)
      xs
