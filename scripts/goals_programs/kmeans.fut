-- One step of k-means by Newton's method, of futhark-ad-sc22: the cost, and its first and second derivatives.
import "sc22/kmeans/standard/kmeans"

entry primal [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : f32 = cost points centres
entry gradient [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : ([k][d]f32, [k][d]f32) =
  jvp2 (\x -> vjp (cost points) x 1) centres (replicate k (replicate d 1))
