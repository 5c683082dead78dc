-- k-means of sparse points, of futhark-ad-sc22: cost and gradient, and the benchmark's own steps with the second derivative.
import "sc22/kmeans/sparse/kmeans_sparse"

def pointers : []i64 = [0, 2, 3, 5, 7, 8, 10, 11, 13, 14, 16, 18, 20, 21]
def columns : []i64 = [0, 2, 1, 0, 3, 1, 2, 3, 0, 1, 2, 0, 2, 1, 1, 3, 0, 3, 1, 2, 3]

entry objective (values: [21]f32) (centres: [3][4]f32) : f32 = costSparse values columns pointers centres
entry gradient (values: [21]f32) (centres: [3][4]f32) : [3][4]f32 =
  copy (vjp (costSparse values columns pointers) centres 1)

-- Each point of the second half lies nearest to one of the ten centres; no step may make the cost larger.
-- ==
-- entry: own_result
-- input { [1f32, 2f32, 3f32, 1f32, 4f32, 2f32, 5f32, 1f32, 3f32, 2f32, 4f32, 2f32, 6f32, 1f32, 3f32, 2f32, 1f32, 5f32, 2f32, 3f32, 4f32] }
-- output { true }
entry own_result (values: [21]f32) : bool =
  let at steps = costSparse values columns pointers (kmeansSpAD 3 steps values columns pointers)
  in at 2 <= at 1 && at 1 <= at 0
