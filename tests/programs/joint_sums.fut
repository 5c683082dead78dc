-- Sums of points that several threads of a block compute jointly: few long ones by many threads, many short ones by one each.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- | In another order of loops.
def sum_of [n] (xs: [n]f64) : f64 = loop s = 0 for i < n do s + xs[i]

-- ==
-- entry: rows
-- random input { [3][1000]f64 } output { true }
-- random input { [1][5000]f64 } output { true }
-- random input { [700][3]f64 } output { true }
-- random input { [257][33]f64 } output { true }
-- random input { [5][0]f64 } output { true }
-- random input { [0][5]f64 } output { true }
entry rows [n] [m] (xss: [n][m]f64) : bool =
  let sums = map f64.sum xss
  in and (tabulate n (\i -> near sums[n - 1 - i] (sum_of xss[n - 1 - i])))

-- ==
-- entry: columns
-- random input { [3][1000]f64 } output { true }
-- random input { [5000][1]f64 } output { true }
-- random input { [700][3]f64 } output { true }
-- random input { [257][33]f64 } output { true }
-- random input { [0][5]f64 } output { true }
entry columns [n] [m] (xss: [n][m]f64) : bool =
  let sums = map f64.sum (transpose xss)
  in and (tabulate m (\j -> near sums[m - 1 - j] (loop s = 0 for i < n do s + xss[i, m - 1 - j])))

-- One needs the other, and what is stored needs both.
-- ==
-- entry: softmax
-- random input { [3][300]f64 } output { true }
-- random input { [300][3]f64 } output { true }
entry softmax [n] [m] (xss: [n][m]f64) : bool =
  let logsumexp xs = let largest = f64.maximum xs in largest + f64.log (f64.sum (map (\x -> f64.exp (x - largest)) xs))
  let expected xs = f64.log (loop s = 0 for j < m do s + f64.exp xs[j])
  let sums = map logsumexp xss
  in and (tabulate n (\i -> near sums[n - 1 - i] (expected xss[n - 1 - i])))

-- Of three and of four dimensions, neighbours along the first or the last.
-- ==
-- entry: cubes
-- random input { [3][2][5][70]f64 } output { true }
-- random input { [2][3][40][3]f64 } output { true }
entry cubes [n] [m] [k] [d] (xssss: [n][m][k][d]f64) : bool =
  let last = map (map (map f64.sum)) xssss
  let first = map (\xsss -> map (\xss -> map f64.sum (transpose xss)) xsss) xssss
  in and (flatten (flatten (tabulate_3d n m k (\i j l -> near last[n - 1 - i, m - 1 - j, k - 1 - l] (sum_of xssss[n - 1 - i, m - 1 - j, k - 1 - l])))))
     && and (flatten (flatten (tabulate_3d n m d (\i j t -> near first[i, m - 1 - j, d - 1 - t] (loop s = 0 for l < k do s + xssss[i, m - 1 - j, l, d - 1 - t])))))

-- Of five: blocks take turns along two of the dimensions, threads along the next one.
-- ==
-- entry: hypercubes
-- random input { [2][3][4][5][70]f64 } output { true }
-- random input { [3][1][2][33][3]f64 } output { true }
entry hypercubes [n] [m] [k] [l] [d] (xsssss: [n][m][k][l][d]f64) : bool =
  let sums = map (map (map (map f64.sum))) xsssss
  in and (flatten_3d (tabulate_3d n m (k * l) (\i j t -> near sums[n - 1 - i, m - 1 - j, t / l, t % l] (sum_of xsssss[n - 1 - i, m - 1 - j, t / l, t % l]))))

-- Operators that are no addition, sums of sums, and two sums at once.
-- ==
-- entry: others
-- input { [[3, -1, 2], [4, 4, -4], [-2147483648, 2147483647, 1]] [1, 5, 7] }
-- output { [-6, -64, -2147483648] [3, 4, 2147483647] [-1, -4, -2147483648] [false, false, false] [true, true, true] [30i64, 33i64, -6442450921i64] }
entry others [n] [m] (xss: [n][m]i32) (ys: [m]i32) : ([n]i32, [n]i32, [n]i32, [n]bool, [n]bool, [n]i64) =
  (map (reduce (*) 1) xss, map i32.maximum xss, map i32.minimum xss, map (all (> 3)) xss, map (any (> 0)) xss,
   map (\xs -> i64.sum (map (\x -> i64.sum (map (\y -> i64.i32 (y - i32.min x y)) ys)) xs)) xss)

-- Not a number and infinities, as in one thread.
-- ==
-- entry: extremes
-- input { [[f64.nan, 1.0, 2.0], [-f64.inf, -f64.inf, -f64.inf], [0.0, f64.inf, f64.nan]] }
-- output { [2.0, -f64.inf, f64.inf] [true, false, true] }
entry extremes [n] [m] (xss: [n][m]f64) : ([n]f64, [n]bool) =
  (map f64.maximum xss, map (\xs -> f64.isnan (f64.sum xs)) xss)

-- An operator that does not commute.
-- ==
-- entry: in_order
-- input { [[1, 2, 3], [7, 5, 3]] } output { [3, 3] }
entry in_order [n] [m] (xss: [n][m]i32) : [n]i32 = map (reduce (\x y -> if y == 0 then x else y) 0) xss

-- Sums that are added to cells which data tell: the adjoint of a number that a row reads.
-- ==
-- entry: added
-- random input { [300][5]f64 [7]f64 } output { true }
-- random input { [3][500]f64 [2]f64 } output { true }
entry added [n] [m] [k] (wss: [n][m]f64) (bs: [k]f64) : bool =
  let at i = i * i % k
  let bs' = vjp (\bs -> tabulate n (\i -> map (* bs[at i]) wss[i])) bs (map (map (+ 1)) wss)
  in and (tabulate k (\b -> f64.abs (bs'[b] - loop s = 0 for i < n do if at i == b then s + sum_of (map (\w -> w * (w + 1)) wss[i]) else s) < 1e-8))

-- Pairs: the largest element and where it is.
-- ==
-- entry: winners
-- random input { [3][1000]f64 } output { true }
-- random input { [1000][3]f64 } output { true }
-- random input { [5][0]f64 } output { true }
entry winners [n] [m] (xss: [n][m]f64) : bool =
  let seeds = vjp (map f64.maximum) xss (replicate n 1)
  let best xs = loop b = -1 for i < m do if b < 0 || xs[i] > xs[b] then i else b
  in and (map2 (\seed xs -> and (map2 (==) seed (tabulate m (\i -> f64.bool (i == best xs))))) seeds xss)

-- Of equal ones the first; and who is not a number.
-- ==
-- entry: ties
-- input { [[2.0, 3.0, 3.0, 1.0], [f64.nan, 1.0, 5.0, 5.0], [-f64.inf, -f64.inf, -f64.inf, -f64.inf]] }
-- output { [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]] }
entry ties [n] [m] (xss: [n][m]f64) : [n][m]f64 = vjp (map f64.maximum) xss (replicate n 1)
