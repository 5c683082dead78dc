-- Gaussian mixtures, of futhark-ad-sc22: three clusters in two dimensions.
import "sc22/gmm/gmm"

def points : [5][2]f64 = [[0.1, -0.7], [0.9, 0.4], [-0.3, 0.2], [0.5, -0.1], [-0.8, 0.6]]

entry objective (alphas: [3]f64) (means: [3][2]f64) (icf: [3][3]f64) : f64 =
  calculate_objective alphas means icf points 1 0

-- ==
-- entry: own_gradient
-- input { [0.1, 0.2, -0.3] [[0.1, 0.2], [0.3, -0.4], [-0.5, 0.6]] [[0.1, 0.5, 0.3], [0.2, -0.4, 0.7], [-0.6, 0.1, 0.2]] }
-- output { true }
entry own_gradient (alphas: [3]f64) (means: [3][2]f64) (icf: [3][3]f64) : bool =
  let (alphas_adj, means_adj, icf_adj) = calculate_jacobian alphas means icf points 1 0
  let along = jvp (\(a, m, i) -> objective a m i) (alphas, means, icf) (alphas, means, icf)
  let sum = f64.sum (map2 (*) alphas alphas_adj) + f64.sum (map2 (*) (flatten means) (flatten means_adj))
            + f64.sum (map2 (*) (flatten icf) (flatten icf_adj))
  in f64.abs (along - sum) <= 1e-10 * f64.abs along
