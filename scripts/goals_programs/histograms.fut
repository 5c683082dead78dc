-- Histograms of random elements in w bins, and the adjoints of the elements: by operators with rules of their own, and by one without.

-- Bins are near to random: the given numbers are small. No division, which takes longer on a GPU than to read an element.
def bins [n] (w: i64) (is: [n]i64) : [n]i64 = map2 (\i j -> (((i + j * 2654435761) & 0xffffffff) * w) >> 32) is (iota n)

def histogram [n] (op: f32 -> f32 -> f32) (neutral: f32) (w: i64) (is: [n]i64) (vs: [n]f32) : [w]f32 =
  reduce_by_index (replicate w neutral) op neutral (bins w is) vs

def plus [n] (w: i64) (is: [n]i64) (vs: [n]f32) : [w]f32 = histogram (+) 0 w is vs
def least [n] (w: i64) (is: [n]i64) (vs: [n]f32) : [w]f32 = histogram f32.min f32.inf w is vs
def times [n] (w: i64) (is: [n]i64) (vs: [n]f32) : [w]f32 = histogram (*) 1 w is vs

-- Associative and commutative, without a rule of its own.
def general [n] (w: i64) (is: [n]i64) (vs: [n]f32) : [w]f32 = histogram (\x y -> x + y + x * y) 0 w is vs

entry plus_primal [n] (w: i64) (is: [n]i64) (vs: [n]f32) = plus w is vs
entry plus_gradient [n] (w: i64) (is: [n]i64) (vs: [n]f32) (seed: [w]f32) = vjp (plus w is) vs seed
entry least_primal [n] (w: i64) (is: [n]i64) (vs: [n]f32) = least w is vs
entry least_gradient [n] (w: i64) (is: [n]i64) (vs: [n]f32) (seed: [w]f32) = vjp (least w is) vs seed
entry times_primal [n] (w: i64) (is: [n]i64) (vs: [n]f32) = times w is vs
entry times_gradient [n] (w: i64) (is: [n]i64) (vs: [n]f32) (seed: [w]f32) = vjp (times w is) vs seed
entry general_primal [n] (w: i64) (is: [n]i64) (vs: [n]f32) = general w is vs
entry general_gradient [n] (w: i64) (is: [n]i64) (vs: [n]f32) (seed: [w]f32) = vjp (general w is) vs seed
