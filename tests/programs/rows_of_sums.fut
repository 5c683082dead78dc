-- Rows whose elements need sums of their row: the threads that have the sums make them.

def softmax [k] (xs: [k]f64) : [k]f64 =
  let largest = f64.maximum xs
  let es = map (\x -> f64.exp (x - largest)) xs
  let total = f64.sum es
  in map (/ total) es

def normalised [k] (xs: [k]f64) : [k]f64 =
  let mean = f64.sum xs / f64.i64 k
  let variance = f64.sum (map (\x -> (x - mean) * (x - mean)) xs) / f64.i64 k
  in map (\x -> (x - mean) / f64.sqrt (variance + 1e-3)) xs

-- ==
-- entry: softmaxes
-- input { [[0f64, 0f64], [1f64, 1f64], [0f64, 1000f64]] }
-- output { [[0.5f64, 0.5f64], [0.5f64, 0.5f64], [0f64, 1f64]] }
entry softmaxes [n] [k] (xss: [n][k]f64) : [n][k]f64 = map softmax xss
entry softmaxes_vjp [n] [k] (xss: [n][k]f64) (seed: [n][k]f64) : [n][k]f64 = vjp (map softmax) xss seed
entry softmaxes_jvp [n] [k] (xss: [n][k]f64) (xss_tan: [n][k]f64) : [n][k]f64 = jvp (map softmax) xss xss_tan

-- ==
-- entry: normalised_rows
-- input { [[1f64, 3f64], [5f64, 5f64]] }
-- output { [[-0.9995003746877732f64, 0.9995003746877732f64], [0f64, 0f64]] }
entry normalised_rows [n] [k] (xss: [n][k]f64) : [n][k]f64 = map normalised xss
entry normalised_rows_vjp [n] [k] (xss: [n][k]f64) (seed: [n][k]f64) : [n][k]f64 = vjp (map normalised) xss seed

-- Others want the sums, too, and the rows on the way.
entry shares [n] [k] (xss: [n][k]f64) : ([n]f64, [n][k]f64, [n][k]f64, [n]f64) =
  let totals = map f64.sum xss
  let shares = map2 (\xs total -> map (\x -> x / (1 + total * total)) xs) xss totals
  let logs = map (map (\x -> f64.log (1 + x * x))) shares
  in (totals, shares, logs, map f64.sum logs)

-- Rows of matrices, and of dimensions that are known.
entry attention [b] [n] (xsss: [b][n][80]f32) : [b][n][80]f32 =
  map (map (\xs -> let largest = f32.maximum xs
                   let total = f32.sum (map (\x -> f32.exp (x - largest)) xs)
                   in map (\x -> f32.exp (x - largest) / total) xs)) xsss

-- Columns: neighbouring threads have neighbouring columns, and store rows apart.
entry softmaxes_of_columns [n] [k] (xss: [n][k]f64) : [k][n]f64 = map softmax (transpose xss)
entry shares_of_columns [n] [k] (xss: [n][k]f64) : [n][k]f64 =
  let totals = map f64.sum (transpose xss)
  in map (map2 (/) (map (+ 1) (map (\t -> t * t) totals))) xss

-- Rows of other lengths than the sums have, and elements of other rows.
entry other_lengths [n] [k] [m] (xss: [n][k]i64) (yss: [n][m]i64) : [n][m]i64 =
  map2 (\xs ys -> let total = i64.sum xs in map (* total) ys) xss yss
entry other_rows [n] [k] (xss: [n][k]i64) : [n][k]i64 =
  let totals = map i64.sum xss
  in tabulate_2d n k (\i j -> xss[i, j] * totals[n - 1 - i])

-- Winners: what is behind the largest of a row.
entry behind_largest [n] [k] (xss: [n][k]i64) : ([n]i64, [n][k]i64) =
  let winners = map (\xs -> (reduce_comm (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j)) (i64.lowest, i64.highest) (zip xs (iota k))).1) xss
  in (winners, map2 (\xs w -> map2 (\x i -> if i > w then x else 0) xs (iota k)) xss winners)
