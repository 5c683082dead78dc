-- The log-likelihood of a Gaussian mixture model, as in samples/gmm.fut. The return sweep either computes the products of matrix
-- and vector again, or finds them kept: [n][k][d] numbers, which is why that must be asked for.

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
              (times: [d][d]f64 -> [d]f64 -> [d]f64)
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
            in alpha + log_det - 0.5 * squared_norm (times q difference))
         alphas means qs log_dets
    |> logsumexp
  in f64.sum (map log_density xs)
     - 0.5 * f64.i64 (n * d) * f64.log (2 * f64.pi)
     - f64.i64 n * logsumexp alphas
     + log_wishart_prior qs log_dets gamma m

def recomputed [d] (q: [d][d]f64) (xs: [d]f64) : [d]f64 = #[recompute] map (dot xs) q
def kept [d] (q: [d][d]f64) (xs: [d]f64) : [d]f64 = #[keep] map (dot xs) q

entry log_likelihood [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs: [n][d]f64) : f64 =
  objective recomputed alphas means icf xs 1 0

entry gradient [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs: [n][d]f64)
                               : ([k]f64, [k][d]f64, [k][l]f64) =
  vjp (\(alphas, means, icf) -> objective recomputed alphas means icf xs 1 0) (alphas, means, icf) 1

entry gradient_kept [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs: [n][d]f64)
                                    : ([k]f64, [k][d]f64, [k][l]f64) =
  vjp (\(alphas, means, icf) -> objective kept alphas means icf xs 1 0) (alphas, means, icf) 1
