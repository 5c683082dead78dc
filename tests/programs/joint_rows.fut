-- Rows that several threads of a block make along with sums, and elements of rows that one of them changes at last.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- | How far the largest is above the others, in a way: its gradient is a row that is less by one for the first largest.
def spread [m] (xs: [m]f64) : f64 =
  let largest = f64.maximum xs
  in f64.log (f64.sum (map (\x -> f64.exp (x - largest)) xs))

def sum_of [m] (xs: [m]f64) : f64 = loop s = 0 for j < m do s + xs[j]
def largest_of [m] (xs: [m]f64) : i64 = loop best = -1 for j < m do if best < 0 || xs[j] > xs[best] then j else best
def slope_of [m] (xs: [m]f64) (j: i64) : f64 =
  let best = largest_of xs
  let exps = loop s = 0 for l < m do s + f64.exp (xs[l] - xs[best])
  in f64.exp (xs[j] - xs[best]) / exps - f64.bool (j == best)

-- ==
-- entry: rows
-- random input { [3][1000]f64 } output { true }
-- random input { [1][5000]f64 } output { true }
-- random input { [700][3]f64 } output { true }
-- random input { [257][33]f64 } output { true }
-- random input { [5][0]f64 } output { true }
-- random input { [0][5]f64 } output { true }
entry rows [n] [m] (xss: [n][m]f64) : bool =
  let slopes = vjp (map spread) xss (replicate n 1)
  in and (flatten (tabulate_2d n m (\i j -> near slopes[n - 1 - i, m - 1 - j] (slope_of xss[n - 1 - i] (m - 1 - j)))))

-- ==
-- entry: columns
-- random input { [300][3]f64 } output { true }
-- random input { [3][700]f64 } output { true }
-- random input { [33][257]f64 } output { true }
-- random input { [0][5]f64 } output { true }
entry columns [m] [n] (xss: [m][n]f64) : bool =
  let slopes = vjp (\xss -> map spread (transpose xss)) xss (replicate n 1)
  in and (flatten (tabulate_2d m n (\j i -> near slopes[m - 1 - j, n - 1 - i] (slope_of (transpose xss)[n - 1 - i] (m - 1 - j)))))

-- Blocks take turns along the other dimensions.
-- ==
-- entry: cubes
-- random input { [3][2][5][40]f64 } output { true }
-- random input { [2][3][60][3]f64 } output { true }
entry cubes [n] [m] [k] [d] (xssss: [n][m][k][d]f64) : bool =
  let slopes = vjp (map (map (map spread))) xssss (replicate n (replicate m (replicate k 1)))
  in and (flatten (flatten (tabulate_3d n m k (\i j l ->
       and (tabulate d (\t -> near slopes[n - 1 - i, m - 1 - j, k - 1 - l, t] (slope_of xssss[n - 1 - i, m - 1 - j, k - 1 - l] t)))))))

-- Who changes an element has to wait for who has stored it. Rows are longer by one than what is summed up.
-- ==
-- entry: changed
-- random input { [3][1000]f64 } output { true }
-- random input { [700][3]f64 } output { true }
-- random input { [257][33]f64 } output { true }
entry changed [n] [m] (xss: [n][m]f64) : bool =
  let k = m + 1
  let rows = map (\xs ->
    let sum = f64.sum xs
    let row = tabulate k (\j -> sum * f64.i64 j)
    in #[unsafe] row with [if sum < f64.i64 m / 2 then 0 else m] = 7) xss
  in and (flatten (tabulate_2d n k (\i j ->
       let sum = sum_of xss[n - 1 - i]
       in near rows[n - 1 - i, j] (if j == (if sum < f64.i64 m / 2 then 0 else m) then 7 else sum * f64.i64 j))))

-- Threads read what others have stored; one of them changes what others have read; and scalars.
-- ==
-- entry: read_again
-- random input { [3][1000]f64 } output { true }
-- random input { [700][3]f64 } output { true }
-- random input { [257][33]f64 } output { true }
entry read_again [n] [m] (xss: [n][m]f64) : bool =
  let k = m + 1
  let (sums, rows, backs) = unzip3 (map (\xs ->
    let sum = f64.sum xs
    let row = tabulate k (\j -> sum * f64.i64 j)
    let back = tabulate k (\j -> #[unsafe] row[m - j] + sum)
    in (sum, #[unsafe] row with [if sum < f64.i64 m / 2 then 0 else m] = 7, back)) xss)
  in and (flatten (tabulate_2d n k (\i j ->
       let sum = sum_of xss[n - 1 - i]
       in near sums[n - 1 - i] sum && near rows[n - 1 - i, j] (if j == (if sum < f64.i64 m / 2 then 0 else m) then 7 else sum * f64.i64 j)
          && near backs[n - 1 - i, j] (sum * f64.i64 (m - j) + sum))))

-- ==
-- entry: folded_again
-- random input { [3][1000]f64 } output { true }
-- random input { [257][33]f64 } output { true }
entry folded_again [n] [m] (xss: [n][m]f64) : bool =
  let (totals, rows) = unzip (map (\xs ->
    let sum = f64.sum xs
    let row = map (* sum) xs
    in (f64.sum (map (\j -> #[unsafe] row[m - 1 - j] * xs[j]) (iota m)), row)) xss)
  in and (flatten (tabulate_2d n m (\i j ->
       let xs = xss[n - 1 - i]
       let sum = sum_of xs
       in f64.abs (totals[n - 1 - i] - sum_of (tabulate m (\j -> sum * xs[m - 1 - j] * xs[j]))) < 1e-6 && near rows[n - 1 - i, j] (sum * xs[j]))))

-- A scalar takes the place of what all threads of its point read.
-- ==
-- entry: in_place
-- random input { [3]f64 [3][1000]f64 } output { true }
-- random input { [257]f64 [257][33]f64 } output { true }
entry in_place [n] [m] (starts: [n]f64) (wss: [n][m]f64) : bool =
  let k = m + 1
  let (xs, rows) = loop (xs, _) = (starts, replicate n (replicate k 0)) for _i < 3 do
    unzip (map2 (\x ws ->
      let sum = f64.sum ws
      let row = tabulate k (\j -> f64.i64 j * x + sum)
      in (f64.sin (x + sum), #[unsafe] row with [if sum < 0 then 0 else m] = 7)) xs wss)
  let before i = let sum = sum_of wss[i] in loop x = starts[i] for _i < 2 do f64.sin (x + sum)
  in and (flatten (tabulate_2d n k (\i j ->
       let x = before (n - 1 - i)
       let sum = sum_of wss[n - 1 - i]
       in near xs[n - 1 - i] (f64.sin (x + sum)) && near rows[n - 1 - i, j] (if j == (if sum < 0 then 0 else m) then 7 else f64.i64 j * x + sum))))

-- A row, and an addition to a cell that data tell.
-- ==
-- entry: added
-- random input { [300][5]f64 [4]f64 } output { true }
-- random input { [3][500]f64 [4]f64 } output { true }
entry added [n] [m] (wss: [n][m]f64) (bs: [4]f64) : bool =
  let (wss', bs') = vjp (\(wss, bs) -> tabulate n (\i -> spread wss[i] * #[unsafe] bs[i * i % 4])) (wss, bs) (replicate n 1)
  in and (flatten (tabulate_2d n m (\i j -> near wss'[n - 1 - i, j] (slope_of wss[n - 1 - i] j * bs[(n - 1 - i) * (n - 1 - i) % 4]))))
     && and (tabulate 4 (\b -> f64.abs (bs'[b] - loop s = 0 for i < n do if i * i % 4 == b then s + spread wss[i] else s) < 1e-7))
