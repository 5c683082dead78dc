-- The cost of k-means, as in samples/kmeans.fut, and its gradient with respect to the centres.

def dist [d] (p: [d]f32) (c: [d]f32) : f32 =
  f32.sum (map2 (\x y -> (x - y) * (x - y)) p c)

def cost [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : f32 =
  points |> map (\p -> f32.minimum (map (dist p) centres)) |> f32.sum

entry objective [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : f32 = cost points centres
entry gradient [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32 = vjp (cost points) centres 1
