-- lse: log (sum (exp xs)) without overflow, and its gradient.
def logsumexp [n] (xs: [n]f64) : f64 =
  let largest = f64.maximum xs
  in largest + f64.log (f64.sum (map (\x -> f64.exp (x - largest)) xs))

entry primal [n] (xs: [n]f64) : f64 = logsumexp xs

entry gradient [n] (xs: [n]f64) : [n]f64 = vjp logsumexp xs 1
