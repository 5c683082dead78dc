-- gmm: the logarithm of the posterior probability of a Gaussian mixture model with a Wishart prior, and its gradient.
--
-- n points xs of dimension d, k components. Of a component: its weight alpha, its mean, and the triangular matrix whose square is the
-- inverse of its covariance: qs are the logarithms of the diagonal, ls what is below it, column by column.
import "lse"

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def squared_norm [n] (xs: [n]f64) : f64 = dot xs xs

-- | The lower triangular matrix of a component.
def triangle [d] [l] (qs: [d]f64) (ls: [l]f64) : [d][d]f64 =
  tabulate_2d d d (\i j ->
    if i < j
    then 0
    else if i == j
    then f64.exp qs[i]
    else #[unsafe] ls[j * (2 * d - j - 1) / 2 + i - j - 1])

-- | log of the multivariate gamma function in p dimensions.
def log_gamma_p (p: i64) (a: f64) : f64 =
  0.25 * f64.i64 (p * (p - 1)) * f64.log f64.pi + f64.sum (tabulate p (\j -> f64.lgamma (a - 0.5 * f64.i64 j)))

-- | log of the Wishart prior of all components, given their matrices and the sums of the logarithms on their diagonals.
def log_prior [k] [d] (triangles: [k][d][d]f64) (log_dets: [k]f64) (gamma: f64) (m: i64) : f64 =
  let degrees = f64.i64 (d + m + 1)
  let component triangle log_det = f64.i64 m * log_det - 0.5 * gamma * gamma * squared_norm (flatten triangle)
  let normaliser = degrees * f64.i64 d * (f64.log gamma - 0.5 * f64.log 2) - log_gamma_p d (0.5 * degrees)
  in f64.i64 k * normaliser + f64.sum (map2 component triangles log_dets)

def log_posterior [n] [k] [d] [l]
                  (alphas: [k]f64) (means: [k][d]f64) (qs: [k][d]f64) (ls: [k][l]f64)
                  (xs: [n][d]f64) (gamma: f64) (m: i64) : f64 =
  let triangles = map2 triangle qs ls
  let log_dets = map f64.sum qs
  let log_density x =
    map4 (\alpha mean triangle log_det ->
            let difference = map2 (-) x mean
            in alpha + log_det - 0.5 * squared_norm (map (dot difference) triangle))
         alphas means triangles log_dets
    |> logsumexp
  in f64.sum (map log_density xs)
     - f64.i64 n * (0.5 * f64.i64 d * f64.log (2 * f64.pi) + logsumexp alphas)
     + log_prior triangles log_dets gamma m

entry objective [n] [k] [d] [l]
                (alphas: [k]f64) (means: [k][d]f64) (qs: [k][d]f64) (ls: [k][l]f64)
                (xs: [n][d]f64) (gamma: f64) (m: i64) : f64 =
  log_posterior alphas means qs ls xs gamma m

entry jacobian [n] [k] [d] [l]
               (alphas: [k]f64) (means: [k][d]f64) (qs: [k][d]f64) (ls: [k][l]f64)
               (xs: [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][d]f64, [k][l]f64) =
  vjp (\(alphas, means, qs, ls) -> log_posterior alphas means qs ls xs gamma m) (alphas, means, qs, ls) 1
