-- Adjoints to which all points of a space add, though their cells do not depend on some of its dimensions: sums by
-- slabs, without atomics. Numbers are whole, so that the order of additions does not matter.

def small (i: i64) : f64 = f64.i64 (i % 5 - 1)

def vector (n: i64) : [n]f64 = tabulate n small
def matrix (n: i64) (m: i64) : [n][m]f64 = tabulate_2d n m (\i j -> small (3 * i + 2 * j))

-- | The sum over all i of w[i, j] x[i].
-- ==
-- entry: columns
-- input { 3i64 2i64 } output { [1.0, 1.0] }
-- input { 1000i64 3i64 } output { [2000.0, 2000.0, 0.0] }
-- input { 300i64 1i64 } output { [600.0] }
-- input { 0i64 2i64 } output { [0.0, 0.0] }
-- input { 5i64 0i64 } output { empty([0]f64) }
entry columns (n: i64) (k: i64) : [k]f64 =
  let (xs, ws) = (vector n, matrix n k)
  in vjp (\cs -> f64.sum (map2 (\x w -> f64.sum (map2 (\c y -> c * y * x) cs w)) xs ws)) (vector k) 1

-- | The dimension that is summed lies behind the one that is kept.
-- ==
-- entry: rows
-- input { 3i64 2i64 } output { [1.0, -2.0, 0.0] }
-- input { 2i64 700i64 } output { [1400.0, 700.0] }
-- input { 2i64 0i64 } output { [0.0, 0.0] }
-- input { 0i64 2i64 } output { empty([0]f64) }
entry rows (n: i64) (k: i64) : [n]f64 =
  let ws = matrix n k
  in vjp (\xs -> f64.sum (map2 (\c j -> f64.sum (map2 (\x i -> c * x * #[unsafe] ws[i, j]) xs (iota n))) (vector k) (iota k)))
         (vector n) 1

-- | A small mixture: the adjoints of matrices, means and weights, of points that are weighed.
-- ==
-- entry: mixture
-- input { 3i64 2i64 2i64 } output { [[[18.0, -12.0], [-12.0, 8.0]], [[17.0, -18.0], [-18.0, 22.0]]] [[16.0, 10.0], [-24.0, -27.0]] [1.0, 2.0] }
-- input { 600i64 2i64 3i64 } output { [[[8400.0, -2400.0, -3600.0], [-2400.0, 1800.0, 600.0], [-3600.0, 600.0, 2400.0]], [[2400.0, -3600.0, 600.0], [-3600.0, 8400.0, -2400.0], [600.0, -2400.0, 1800.0]]] [[10200.0, 2400.0, -8400.0], [-6600.0, -11400.0, 4800.0]] [600.0, 600.0] }
-- input { 1i64 1i64 1i64 } output { [[[0.0]]] [[0.0]] [-1.0] }
-- input { 0i64 2i64 1i64 } output { [[[0.0]], [[0.0]]] [[0.0], [0.0]] [0.0, 0.0] }
-- input { 2i64 0i64 2i64 } output { empty([0][2][2]f64) empty([0][2]f64) empty([0]f64) }
-- input { 2i64 2i64 0i64 } output { empty([2][0][0]f64) empty([2][0]f64) [1.0, 0.0] }
entry mixture (n: i64) (k: i64) (d: i64) : ([k][d][d]f64, [k][d]f64, [k]f64) =
  let (xs, ws) = (matrix n d, matrix n k)
  let qs = tabulate_3d k d d (\j t s -> small (j + 2 * t + s))
  in vjp (\(qs: [k][d][d]f64, means: [k][d]f64, bs: [k]f64) ->
            f64.sum (map2 (\x w -> f64.sum (map4 (\mean q b y ->
              let difference = map2 (-) x mean
              in b * y + y * f64.sum (map2 (\row z -> z * f64.sum (map2 (*) row difference)) q difference)) means qs bs w)) xs ws))
         (qs, matrix k d, vector k) 1

-- | Two vectors get the same, on top of what they held.
-- ==
-- entry: two_vectors
-- input { 3i64 2i64 } output { [-1.0, 2.0] [4.0, 5.0] }
-- input { 1000i64 3i64 } output { [998.0, 1000.0, 1002.0] [1003.0, 1003.0, 1003.0] }
-- input { 0i64 2i64 } output { [-2.0, 0.0] [3.0, 3.0] }
entry two_vectors (n: i64) (k: i64) : ([k]f64, [k]f64) =
  let ws = matrix n k
  in vjp (\(cs: [k]f64, bs: [k]f64) ->
            f64.sum (map (\w -> f64.sum (map3 (\c b y -> (c + b) * y) cs bs w)) ws)
            + f64.sum (map (\c -> c * c) cs) + f64.sum (map (\b -> 3 * b) bs))
         (vector k, vector k) 1

-- | The rows of `bs` are found through an index; those of `cs` are not.
-- ==
-- entry: one_is_indexed
-- input { 3i64 2i64 2i64 } output { [1.0, 2.0] [[-2.0, 6.0], [4.0, -2.0]] }
-- input { 1000i64 2i64 3i64 } output { [1000.0, 1000.0] [[670.0, 666.0], [666.0, 668.0], [664.0, 666.0]] }
-- input { 0i64 2i64 1i64 } output { [0.0, 0.0] [[0.0, 0.0]] }
entry one_is_indexed (n: i64) (k: i64) (l: i64) : ([k]f64, [l][k]f64) =
  let ws = matrix n k
  let is = map (% l) (iota n)
  in vjp (\(cs: [k]f64, bs: [l][k]f64) ->
            f64.sum (map2 (\w i -> f64.sum (map3 (\c b y -> (c + 2 * b) * y) cs (#[unsafe] bs[i]) w)) ws is))
         (vector k, matrix l k) 1

-- | Transposed matrices of integers; the last dimension belongs to neighbours.
-- ==
-- entry: integers
-- input { 3i64 2i64 2i64 } output { [[5i32, 8i32], [2i32, 6i32]] }
-- input { 900i64 2i64 3i64 } output { [[4046i32, 4052i32], [4040i32, 4046i32], [4038i32, 4044i32]] }
-- input { 0i64 2i64 1i64 } output { [[0i32, 0i32]] }
entry integers (n: i64) (k: i64) (d: i64) : [d][k]i32 =
  let ws = tabulate_2d n k (\i j -> i32.i64 ((i + j) % 7))
  let xs = tabulate_2d n d (\i t -> i32.i64 ((i + 3 * t) % 4))
  in vjp (\cs -> i32.sum (map2 (\w x -> i32.sum (map2 (\c y -> y * i32.sum (map2 (*) c x)) (transpose cs) w)) ws xs))
         (replicate d (replicate k 0)) 1

-- | Two dimensions are summed, one of them inside of a thread; what is beside them stays.
-- ==
-- entry: two_dimensions
-- input { 3i64 2i64 2i64 } output { [1.0, 0.0] [0.0, 0.0] }
-- input { 500i64 4i64 3i64 } output { [4000.0, 2000.0, 0.0] [250.0, 250.0] }
-- input { 3i64 0i64 2i64 } output { [0.0, 0.0] [0.0, 0.0] }
entry two_dimensions (n: i64) (d: i64) (k: i64) : ([k]f64, [2]f64) =
  let (xs, ys, zs) = (vector n, matrix d k, matrix n k)
  let is = map (% 2) (iota n)
  in vjp (\(cs: [k]f64, bs: [2]f64) ->
            f64.sum (map3 (\x i z ->
              (#[unsafe] bs[i]) * x + f64.sum (map (\y -> f64.sum (map3 (\c u v -> c * u * v * x) cs y z)) ys)) xs is zs))
         (vector k, [0, 0]) 1

-- | So few points that they are one sum; single precision.
-- ==
-- entry: few_points
-- input { 2i64 } output { [3.0f32, 9.0f32] }
-- input { 0i64 } output { empty([0]f32) }
entry few_points (k: i64) : [k]f32 =
  let ws = tabulate_2d 3 k (\i j -> f32.i64 (i + 2 * j))
  in vjp (\cs -> f32.sum (map (\w -> f32.sum (map2 (*) cs w)) ws)) (replicate k 1) 1

-- | Sums that may be empty: then there is nothing to read.
-- ==
-- entry: empty_sums
-- input { empty([2][0]f32) [[1.0f32, 2.0f32], [1.0f32, 2.0f32]] } output { [[0.0f32, 0.0f32], [0.0f32, 0.0f32]] }
-- input { [[2.0f32, 9.0f32], [3.0f32, 9.0f32]] [[1.0f32, 2.0f32], [1.0f32, 2.0f32]] } output { [[5.0f32, 5.0f32], [7.0f32, 7.0f32]] }
entry empty_sums [k] [n] [m] (xss: [k][n]f32) (css: [k][m]f32) : [k][m]f32 =
  map2 (\xs cs ->
         let f cs = map (\i -> map (\c -> c * ((#[unsafe] xs[0]) + f32.i64 i)) cs) (iota n)
         in vjp f cs (replicate n (replicate m 1))) xss css
