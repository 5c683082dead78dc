-- One step of k-means of sparse points by Newton's method, of futhark-ad-sc22; popular columns are many times as frequent as others.
import "sc22/kmeans/sparse/kmeans_sparse"

-- Column c has a share like 1 / (c + 1).
def columns [n] (m: i64) (us: [n]f32) : [n]i64 = map (\u -> i64.min (m - 1) (i64.f32 (f32.i64 m ** f32.abs u) - 1)) us |> opaque

def begins (n: i64) (r: i64) : [n + 1]i64 = map (* r) (iota (n + 1)) |> opaque

entry primal [n] [r] [k] [m] (values: [n][r]f32) (us: [n][r]f32) (centres: [k][m]f32) : f32 =
  costSparse (flatten values) (columns m (flatten us)) (begins n r) centres
entry gradient [n] [r] [k] [m] (values: [n][r]f32) (us: [n][r]f32) (centres: [k][m]f32) : ([k][m]f32, [k][m]f32) =
  let (colidxs, begrows) = (columns m (flatten us), begins n r)
  in jvp2 (\x -> vjp (costSparse (flatten values) colidxs begrows) x 1) centres (replicate k (replicate m 1))
