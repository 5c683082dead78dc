-- A layer of a network for PyTorch: train.py trains two of them.

-- | tanh of an affine map, for each row of a batch.
entry dense [b] [m] [n] (batch: [b][m]f32) (weights: [n][m]f32) (bias: [n]f32) : [b][n]f32 =
  map (\xs -> map2 (\row c -> f32.tanh (f32.sum (map2 (*) row xs) + c)) weights bias) batch
