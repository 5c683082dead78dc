-- Loops that keep their states: each is made where it is kept, unless somebody would see the difference.

def f [m] (i: i64) (x: [m]f64) : [m]f64 = map (\j -> f64.sin x[j] * 0.5 + x[m - 1 - j] * x[(j + i) % m]) (iota m)

-- | A history of states, and the last one; no rows, and no steps.
-- ==
-- entry: hist
-- random input { 5i64 [7]f64 }
-- auto output
-- random input { 0i64 [7]f64 }
-- auto output
-- random input { 1i64 [0]f64 }
-- auto output
-- random input { 3i64 [600]f64 }
-- auto output
entry hist [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i64 i) (iota m))

-- | A narrow number of steps, in a return sweep, which reads what is kept.
-- ==
-- entry: small
-- input { 5i8 [1.0, 2.0, 0.5] }
-- auto output
-- input { -5i8 [1.0, 2.0, 0.5] }
-- auto output
-- input { 127i8 [1.0, 0.0, 0.5] }
-- auto output
entry small [m] (n: i8) (xs: [m]f64) : [m]f64 =
  vjp (\(xs: [m]f64) -> let x = loop x = xs for i < n do map (\j -> f64.sin x[m - 1 - j] * 0.9 + x[j] / f64.i8 (i + 1)) (iota m) in f64.sum x) xs 1

-- | A narrow number of steps, which may be negative.
-- ==
-- entry: i32log
-- input { 5i32 [1.0, 2.0, 0.5] }
-- auto output
-- input { 0i32 [1.0, 2.0, 0.5] }
-- auto output
-- input { -1i32 [1.0, 2.0, 0.5] }
-- auto output
entry i32log [m] (n: i32) (xs: [m]f64) : ([][m]f64, [m]f64) =
  let c = i64.max 0 (i64.i32 n)
  in loop (log, x) = (replicate c (replicate m 0), xs) for i < n do
    (log with [i64.i32 i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i32 i) (iota m))

-- | States that take turns, one made from the other.
-- ==
-- entry: swapped
-- random input { 5i64 [7]f64 [7]f64 }
-- auto output
-- random input { -2i64 [7]f64 [7]f64 }
-- auto output
entry swapped [m] (n: i64) (xs: [m]f64) (ys: [m]f64) : ([m]f64, [m]f64) =
  vjp (\(xs: [m]f64, ys: [m]f64) ->
         let (x, y) = loop (x, y) = (xs, ys) for i < n do (map2 (\a b -> a * f64.sin b) (y) (reverse y), x)
         in f64.sum (map2 (*) x y))
      (xs, ys) 1

-- | A state that is what another one was.
-- ==
-- entry: delayed
-- random input { 6i64 [7]f64 [7]f64 }
-- auto output
entry delayed [m] (n: i64) (xs: [m]f64) (ys: [m]f64) : ([m]f64, [m]f64) =
  vjp (\(xs: [m]f64, ys: [m]f64) ->
         let (x, y) = loop (x, y) = (xs, ys) for i < n do (map (\j -> x[j] * f64.sin x[m - 1 - j] + y[(j + 1) % m]) (iota m), x)
         in f64.sum (map2 (*) x y))
      (xs, ys) 1

-- | Old and next state are read together, before the old one is kept.
-- ==
-- entry: after_both
-- random input { 4i64 [5]f64 }
-- auto output
entry after_both [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [n]f64, [n]f64, [m]f64) =
  loop (log, ss, ts, x) = (replicate n (replicate m 0), replicate n 0, replicate n 0, xs) for i < n do
    let y = map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m)
    let ss = ss with [i] = f64.sum (map2 (*) (scan (+) 0 y) (reverse x))
    let ts = ts with [i] = f64.sum (scan (+) 0 (map2 (-) (reverse y) y))
    in (log with [i] = x, ss, ts, y)

-- | The next state is a histogram of this one.
-- ==
-- entry: hists
-- random input { 4i64 [5]i64 [5]i64 }
-- auto output
entry hists [m] (n: i64) (xs: [m]i64) (vs: [m]i64) : ([n][m]i64, [m]i64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, reduce_by_index (replicate m i) (+) 0 (map (% m) x) (map (% 100) vs))

-- | It may be this one.
-- ==
-- entry: next_by_branch
-- random input { 4i64 [5]f64 }
-- auto output
entry next_by_branch [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    let s = f64.sum (scan (+) 0 x)
    let y = if s > 1.5 then x else (map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m) :> [m]f64)
    in (log with [i] = x, y :> [m]f64)

-- | It is made by a loop that starts with this one, and reads it.
-- ==
-- entry: next_by_loop
-- random input { 4i64 [5]f64 }
-- auto output
entry next_by_loop [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    let y = loop (y: [m]f64) = x for j < i do map (\j -> y[j] * 0.5 + x[m - 1 - j]) (iota m)
    in (log with [i] = x, y :> [m]f64)

-- | It is this one, updated.
-- ==
-- entry: kept_then_updated
-- random input { 4i64 [5]f64 }
-- auto output
entry kept_then_updated [m] (n: i64) (xs: *[m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    let log = log with [i] = x
    in (log, x with [i] = x[i] + 1)

-- | Another state is a view of it.
-- ==
-- entry: view_result
-- random input { 4i64 [5]f64 }
-- auto output
entry view_result [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64, [m]f64) =
  loop (log, x, r) = (replicate n (replicate m 0), xs, xs) for i < n do
    let y = map (\j -> x[j] * 0.5 + r[m - 1 - j]) (iota m)
    in (log with [i] = x, y, reverse y)

-- | It is a view of this one.
-- ==
-- entry: rotated
-- random input { 4i64 [5]f64 }
-- auto output
entry rotated [k] (n: i64) (xs: [k]f64) : ([n][k]f64, [k]f64) =
  loop (log, x) = (replicate n (replicate k 0), xs) for i < n do
    (log with [i] = x, reverse x)

-- | A state is kept twice.
-- ==
-- entry: twice
-- random input { 5i64 [7]f64 }
-- auto output
entry twice [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [n][m]f64, [m]f64) =
  loop (logx, logy, x) = (replicate n (replicate m 0), replicate n (replicate m 0), xs) for i < n do
    (logx with [i] = x, logy with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m))

-- | So is the next one, elsewhere.
-- ==
-- entry: next_stored
-- random input { 5i64 [7]f64 }
-- auto output
entry next_stored [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [n][m]f64, [m]f64) =
  loop (logx, logy, x) = (replicate n (replicate m 0), replicate n (replicate m 0), xs) for i < n do
    let y = map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m)
    in (logx with [i] = x, logy with [i] = y, y)

-- | Two states, each with a history.
-- ==
-- entry: two
-- random input { 5i64 [7]f64 [7]f64 }
-- auto output
-- random input { 0i64 [7]f64 [7]f64 }
-- auto output
entry two [m] (n: i64) (xs: [m]f64) (ys: [m]f64) : ([n][m]f64, [n][m]f64, [m]f64, [m]f64) =
  loop (logx, logy, x, y) = (replicate n (replicate m 0), replicate n (replicate m 0), xs, ys) for i < n do
    (logx with [i] = x, logy with [i] = y, map (\j -> x[j] * 0.5 + y[m - 1 - j]) (iota m), map (\j -> f64.sin x[m - 1 - j] * y[(j + 1) % m]) (iota m))

-- | The history is read on the way.
-- ==
-- entry: reads_log
-- random input { 5i64 [7]f64 }
-- auto output
entry reads_log [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    let log = log with [i] = x
    let y = log[i / 2]
    in (log, map (\j -> x[j] * 0.5 + x[m - 1 - j] + y[j]) (iota m))

-- | Elements of one byte.
-- ==
-- entry: ints
-- random input { 9i64 [5]i8 [5]bool }
-- auto output
entry ints [m] (n: i64) (xs: [m]i8) (bs: [m]bool) : ([n][m]i8, [n][m]bool, [m]i8, [m]bool) =
  loop (lx, lb, x, b) = (replicate n (replicate m 0), replicate n (replicate m false), xs, bs) for i < n do
    (lx with [i] = x, lb with [i] = b, map2 (\y j -> if b[j] then y + x[m-1-j] else y) x (iota m), map (\j -> b[(j + 1) % m] != (x[j] > 3)) (iota m))

-- | Rows of three dimensions.
-- ==
-- entry: rank3
-- random input { 3i64 [2][3][2]f64 }
-- auto output
-- random input { 3i64 [0][3][2]f64 }
-- auto output
entry rank3 [a] [b] [c] (n: i64) (xs: [a][b][c]f64) : ([n][a][b][c]f64, f64) =
  let (log, x) = loop (log, x) = (replicate n (replicate a (replicate b (replicate c 0))), xs) for i < n do
    (log with [i] = x, map (map (\r -> map (\j -> r[c - 1 - j] * 0.5 + r[j]) (iota c))) x)
  in (log, f64.sum (map f64.sum (map (map f64.sum) x)))

-- | The next state is seen in another order.
-- ==
-- entry: transposed
-- random input { 4i64 [3][3]f64 }
-- auto output
entry transposed [k] (n: i64) (xs: [k][k]f64) : ([n][k][k]f64, [k][k]f64) =
  loop (log, x) = (replicate n (replicate k (replicate k 0)), xs) for i < n do
    let y = map (\a -> map (\b -> x[a, b] * 0.5 + x[k - 1 - a, (b + 1) % k]) (iota k)) (iota k)
    in (log with [i] = x, transpose y)

-- | Rows for more steps than there are.
-- ==
-- entry: rows_behind
-- random input { 7i64 4i64 [5]f64 }
-- auto output
entry rows_behind [m] (c: i64) (n: i64) (xs: [m]f64) : ([c][m]f64, [m]f64) =
  loop (log, x) = (replicate c (replicate m 7), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m))

-- | A history for each step of a history.
-- ==
-- entry: both
-- random input { 3i64 4i64 [5]f64 }
-- auto output
-- random input { 3i64 0i64 [5]f64 }
-- auto output
-- random input { 0i64 4i64 [5]f64 }
-- auto output
entry both [m] (n: i64) (k: i64) (xs: [m]f64) : ([n][m]f64, [n][k][m]f64, [m]f64) =
  loop (outer, all, x) = (replicate n (replicate m 0), replicate n (replicate k (replicate m 0)), xs) for i < n do
    let (log, y) = loop (log, y: [m]f64) = (replicate k (replicate m 0), x) for j < k do
       (log with [j] = y, map (\l -> y[l] * 0.5 + y[m - 1 - l] + f64.i64 (i * j)) (iota m))
    in (outer with [i] = x, all with [i] = log, y)

-- | The last state is updated behind the loop.
-- ==
-- entry: updated_own
-- random input { 5i64 [7]f64 }
-- auto output
-- random input { 0i64 [7]f64 }
-- auto output
entry updated_own [m] (n: i64) (xs: *[m]f64) : ([n][m]f64, [m]f64, [m]f64) =
  let (log, x) = loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i64 i) (iota m))
  let y = map (+ 1) x
  let x = x with [3] = 17
  in (log, x, y)

-- | The history is.
-- ==
-- entry: updated_log
-- random input { 5i64 [7]f64 }
-- auto output
entry updated_log [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  let (log, x) = loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i64 i) (iota m))
  let log = log with [2] = map (+ 1) x
  in (log, x)

-- | Both are states of another loop, which starts them anew.
-- ==
-- entry: outer
-- random input { 3i64 5i64 [7]f64 }
-- auto output
-- random input { 3i64 0i64 [7]f64 }
-- auto output
-- random input { 0i64 5i64 [7]f64 }
-- auto output
entry outer [m] (k: i64) (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  loop (log, x) = (replicate n (replicate m 1), xs) for j < k do
    let s = f64.sum (map f64.sum log)
    in loop (log, x) = (replicate n (replicate m 0), x) for i < n do
      (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i64 i + f64.sin s) (iota m))

-- | The last state is the first one of a loop that reads the history.
-- ==
-- entry: from_log
-- random input { 4i64 [5]f64 }
-- auto output
entry from_log [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [n][m]f64, [m]f64) =
  let (log, x) = loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m))
  let (log2, z) = loop (log2, z) = (replicate n (replicate m 0), x) for i < n do
    (log2 with [i] = z, map (\j -> z[j] * 0.5 - z[m - 1 - j] + log[n - 1 - i, j]) (iota m))
  let t = loop t = z for i < 3 do map (+ 1) t
  in (log, log2, t)

-- | And of loops that update it, and make it anew.
-- ==
-- entry: goes_on
-- random input { 4i64 [5]f64 }
-- auto output
entry goes_on [m] (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64) =
  let (log, x) = loop (log, x) = (replicate n (replicate m 0), xs) for i < n do
    (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j]) (iota m))
  let t = loop (t: *[m]f64) = copy x for i < 3 do t with [i] = log[i, i] + x[i]
  let u = loop (u: [m]f64) = x for i < 3 do map (+ 1) u
  in (log, map2 (+) t u)

-- | A history in a branch.
-- ==
-- entry: branches
-- random input { true 5i64 [7]f64 }
-- auto output
-- random input { false 5i64 [7]f64 }
-- auto output
entry branches [m] (b: bool) (n: i64) (xs: [m]f64) : ([n][m]f64, [m]f64, f64) =
  let (log, x) = if b then loop (log, x) = (replicate n (replicate m 0), copy xs) for i < n do
       (log with [i] = x, map (\j -> x[j] * 0.5 + x[m - 1 - j] + f64.i64 i) (iota m))
     else (replicate n (copy xs), replicate m 1)
  let x = x with [2] = x[1]
  in (log, x, f64.sum (map f64.sum log))

-- | Derivatives of derivatives.
-- ==
-- entry: vv
-- random input { 5i64 [5]f64 [5]f64 }
-- auto output
-- random input { 0i64 [5]f64 [5]f64 }
-- auto output
entry vv [m] (n: i64) (xs: [m]f64) (v: [m]f64) : [m]f64 =
  vjp (\(xs: [m]f64) -> f64.sum (map2 (*) v (vjp (\xs -> f64.sum (loop x = xs for i < n do f i x)) xs 1))) xs 1

-- | Histories of parts of a loop.
-- ==
-- entry: strip
-- random input { 5i64 [7]f64 }
-- auto output
-- random input { 16i64 [7]f64 }
-- auto output
entry strip [m] (n: i64) (xs: [m]f64) : [m]f64 =
  vjp (\(xs: [m]f64) -> f64.sum (#[stripmine(2)] loop x = xs for i < n do f i x)) xs 1

-- | Loops in loops, whose numbers of steps may be negative.
-- ==
-- entry: nested
-- random input { 4i64 3i64 [5]f64 }
-- auto output
-- random input { 4i64 -3i64 [5]f64 }
-- auto output
-- random input { -1i64 3i64 [5]f64 }
-- auto output
entry nested [m] (n: i64) (k: i64) (xs: [m]f64) : [m]f64 =
  vjp (\(xs: [m]f64) -> f64.sum (loop x = xs for i < n do loop x = f i x for j < k do f (i + j) x)) xs 1

-- | Two states, as in a network with memory.
-- ==
-- entry: lstm
-- random input { 4i64 [5]f64 [5]f64 }
-- auto output
entry lstm [m] (n: i64) (xs: [m]f64) (ys: [m]f64) : ([m]f64, [m]f64) =
  vjp (\(xs: [m]f64, ys: [m]f64) -> let (a, b) = loop (h, c) = (xs, ys) for i < n do
     let c' = map2 (\a b -> a * b + f64.tanh a) (f i h) c
     in (map2 (*) c' (map f64.tanh h), c') in f64.sum a + f64.sum b) (xs, ys) 1
