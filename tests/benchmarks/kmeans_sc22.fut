-- k-means, of futhark-ad-sc22: the cost, its gradient, and the steps of Newton's method that use the second derivative.
import "sc22/kmeans/standard/kmeans"

def points : [7][2]f32 = [[0, 0.1], [1, 0.9], [0.2, 0], [0.8, 1.1], [-0.1, 0.2], [1.2, 1], [0.1, -0.1]]

entry objective (centres: [2][2]f32) : f32 = cost points centres
entry gradient (centres: [2][2]f32) : [2][2]f32 = copy (vjp (cost points) centres 1)

-- The means of points 0, 2, 4, 6 and of 1, 3, 5. The benchmark begins with the last two points.
-- ==
-- entry: own_result
-- input { }
-- output { [[0.05f32, 0.05f32], [1f32, 1f32]] }
entry own_result : [2][2]f32 = calculate_objective 0 2 10 points
