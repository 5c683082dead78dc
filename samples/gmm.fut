-- The log-likelihood of a Gaussian mixture model with a Wishart prior, as in the ADBench suite (Srajer, Kukelova,
-- Fitzgibbon: A benchmark of selected algorithmic differentiation tools, 2018).
--
-- n points xs of dimension d, k components. Of a component: its weight alpha, its mean, and icf, the inverse of the
-- Cholesky factor of its covariance: the logarithms of the diagonal, then the part below it, column by column.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 =
  f64.sum (map2 (*) xs ys)

def squared_norm [n] (xs: [n]f64) : f64 =
  dot xs xs

-- | log (sum (exp xs)), without overflow.
def logsumexp [n] (xs: [n]f64) : f64 =
  let largest = f64.maximum xs
  in largest + f64.log (f64.sum (map (\x -> f64.exp (x - largest)) xs))

-- | The lower triangular matrix that icf packs.
def unpack [l] (d: i64) (icf: [l]f64) : [d][d]f64 =
  tabulate_2d d d (\i j ->
    if i < j
    then 0
    else if i == j
    then f64.exp (#[unsafe] icf[i])
    else #[unsafe] icf[d + j * (2 * d - j - 1) / 2 + i - j - 1])

-- | log of the multivariate gamma function in p dimensions.
def log_gamma_p (p: i64) (a: f64) : f64 =
  let terms = tabulate p (\j -> f64.lgamma (a - 0.5 * f64.i64 j))
  in 0.25 * f64.i64 (p * (p - 1)) * f64.log f64.pi + f64.sum terms

-- | log of the Wishart prior of all components, given their matrices and the sums of the logarithms on their diagonals.
def log_wishart_prior [k] [d] (qs: [k][d][d]f64) (log_dets: [k]f64) (gamma: f64) (m: i64) : f64 =
  let degrees = f64.i64 (d + m + 1)
  let component q log_det =
    0.5 * gamma * gamma * squared_norm (flatten q) - f64.i64 m * log_det
  let normaliser =
    degrees * f64.i64 d * (f64.log gamma - 0.5 * f64.log 2) - log_gamma_p d (0.5 * degrees)
  in f64.sum (map2 component qs log_dets) - f64.i64 k * normaliser

def objective [n] [k] [d] [l]
              (alphas: [k]f64)
              (means: [k][d]f64)
              (icf: [k][l]f64)
              (xs: [n][d]f64)
              (gamma: f64)
              (m: i64) : f64 =
  let qs = map (unpack d) icf
  let log_dets = map (\row -> f64.sum (#[unsafe] row[:d])) icf
  let log_density x =
    map4 (\alpha mean q log_det ->
            let difference = map2 (-) x mean
            in alpha + log_det - 0.5 * squared_norm (map (dot difference) q))
         alphas means qs log_dets
    |> logsumexp
  in f64.sum (map log_density xs)
     - 0.5 * f64.i64 (n * d) * f64.log (2 * f64.pi)
     - f64.i64 n * logsumexp alphas
     + log_wishart_prior qs log_dets gamma m

-- | The log-likelihood. A row of icf has d + d * (d - 1) / 2 elements, or more, of which these are read: it is not checked.
entry calculate_objective [n] [k] [d] [l]
                          (alphas: [k]f64)
                          (means: [k][d]f64)
                          (icf: [k][l]f64)
                          (xs: [n][d]f64)
                          (gamma: f64)
                          (m: i64) : f64 =
  objective alphas means icf xs gamma m

-- | The gradient of the objective with respect to weights, means and packed matrices. A row of icf has d + d * (d - 1) / 2 elements,
-- or more, of which these are read: it is not checked.
entry calculate_jacobian [n] [k] [d] [l]
                         (alphas: [k]f64)
                         (means: [k][d]f64)
                         (icf: [k][l]f64)
                         (xs: [n][d]f64)
                         (gamma: f64)
                         (m: i64) : ([k]f64, [k][d]f64, [k][l]f64) =
  vjp (\(alphas, means, icf) -> objective alphas means icf xs gamma m) (alphas, means, icf) 1

-- Small cases. The expected values were computed apart from this program, gradients by complex steps.
-- ==
-- entry: calculate_objective
-- input {
--   [0.246, 0.484]
--   [[0.59, 0.885], [0.48, 0.845]]
--   [[-0.942, -0.069, 0.887], [0.298, 0.802, -0.774]]
--   [[-0.062, -0.507], [0.088, 0.148], [-0.974, -0.567]]
--   0.7
--   2i64
-- }
-- output {
--   6.0553390886528184
-- }
-- input {
--   [-0.441]
--   [[0.833, 0.531, -0.681]]
--   [[0.594, -0.722, 0.235, -0.747, -0.996, 0.743]]
--   [[-0.581, -0.569, 0.965], [0.745, -0.421, 0.923]]
--   0.7
--   2i64
-- }
-- output {
--   3.5355574481619705
-- }
-- input {
--   [0.078, 0.356, -0.59]
--   [[0.882], [0.381], [0.933]]
--   [[0.787], [-0.402], [-0.278]]
--   [[-0.668]]
--   0.7
--   2i64
-- }
-- output {
--   7.57319036610061
-- }

-- ==
-- entry: calculate_jacobian
-- input {
--   [0.246, 0.484]
--   [[0.59, 0.885], [0.48, 0.845]]
--   [[-0.942, -0.069, 0.887], [0.298, 0.802, -0.774]]
--   [[-0.062, -0.507], [0.088, 0.148], [-0.974, -0.567]]
--   0.7
--   2i64
-- }
-- output {
--   [-0.7480299218282287, 0.7480299218282287]
--   [[-1.0183529701709957, -1.0013713901620402], [-0.10876843918634768, -10.209061953519257]]
--   [[-1.412660063042772, -2.3300173686155436, -0.46793234654678406], [-2.7627608493876354, -9.561258103378602, -4.375306284180087]]
-- }
-- input {
--   [-0.441]
--   [[0.833, 0.531, -0.681]]
--   [[0.594, -0.722, 0.235, -0.747, -0.996, 0.743]]
--   [[-0.581, -0.569, 0.965], [0.745, -0.421, 0.923]]
--   0.7
--   2i64
-- }
-- output {
--   [0.0]
--   [[-9.086816692022278, 3.0939629512905187, 5.163749081184835]]
--   [[-4.9769984254820905, 0.2110416397923592, -7.640667073118364, 0.33702511463445467, 3.41571239885894, 4.64604504979305]]
-- }
-- input {
--   [0.078, 0.356, -0.59]
--   [[0.882], [0.381], [0.933]]
--   [[0.787], [-0.402], [-0.278]]
--   [[-0.668]]
--   0.7
--   2i64
-- }
-- output {
--   [-0.345405231465449, 0.3156210712082266, 0.02978416025722242]
--   [[-0.05647645350615217], [-0.36697745908354196], [-0.1935101004313101]]
--   [[0.2847091705383097], [-1.3839732929103663], [-1.8180393734629339]]
-- }
