-- Logistic regression: how likely labels are by a weighted sum of features.

import "softplus"

-- | The negative logarithm of the likelihood of the labels, 0 or 1 each, and a penalty for large weights.
-- ==
-- entry: loss
-- input { [0.0, 0.0] [[1.0, 2.0], [3.0, 4.0]] [0.0, 1.0] 0.5 }
-- output { 0.6931471805599453 }
-- input { [1.0, -1.0] [[1.0, 2.0], [3.0, 4.0]] [0.0, 1.0] 0.5 }
-- output { 1.8132616875182228 }
entry loss [n] [d] (weights: [d]f64) (features: [n][d]f64) (labels: [n]f64) (penalty: f64) : f64 =
  let score row = f64.sum (map2 (*) row weights)
  let losses = map2 (\row label -> softplus (score row) - label * score row) features labels
  in f64.sum losses / f64.i64 n + penalty * f64.sum (map (\w -> w * w) weights)
