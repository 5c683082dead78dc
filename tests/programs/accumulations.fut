-- Adjoints of arrays that several maps read at computed places: what is added to one array stands together, and arrays that get the same
-- are one.

-- | The adjoint of xs is made by the map that adds to that of ws, and added to afterwards.
-- ==
-- entry: made_on_the_way
-- input { [1i64, 0i64, 1i64] [2.0, 3.0, 0.5] [1.0, -1.0, 2.0] } output { [-1.0, 2.0, -3.0] [6.0, 3.5, 0.0] }
-- random input { [40]i64 [40]f64 [40]f64 }
-- auto output
-- random input { [0]i64 [0]f64 [0]f64 }
-- auto output
entry made_on_the_way [n] (is: [n]i64) (xs: [n]f64) (ws: [n]f64) : ([n]f64, [n]f64) =
  let js = map (\i -> (i % n + n) % n) is
  in vjp (\(xs, ws) -> f64.sum (map (\j -> ws[j] * xs[(j + 1) % n]) js) + f64.sum (map2 (\x j -> x * ws[j]) xs js)) (xs, ws) 1

-- | Adjoints of two arrays that are only added to each other.
-- ==
-- entry: the_same
-- random input { [40]f64 [40]f64 }
-- auto output
-- random input { [0]f64 [0]f64 }
-- auto output
entry the_same [n] (xs: [n]f64) (ws: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(xs, ws) -> f64.sum (map (\i -> f64.sin (xs[i * i % n] + ws[i * i % n])) (iota n))) (xs, ws) 1

-- | ... and what is done to one of them then.
-- ==
-- entry: then_not
-- random input { [40]f64 [40]f64 }
-- auto output
entry then_not [n] (xs: [n]f64) (ws: [n]f64) : ([n]f64, [n]f64) =
  let (xs_adj, ws_adj) = the_same xs ws
  in (copy xs_adj with [0] = 7, ws_adj)

-- | As many additions, but of one of them in a branch.
-- ==
-- entry: in_branches
-- random input { [40]f64 [40]f64 [40]bool }
-- auto output
entry in_branches [n] (xs: [n]f64) (ws: [n]f64) (choice: [n]bool) : ([n]f64, [n]f64) =
  vjp (\(xs, ws) ->
         f64.sum (map (\i ->
                         let k = i * i % n
                         let (x, w) = if choice[i] then (xs[k], ws[k]) else (ws[k], xs[k])
                         in x + 2 * w) (iota n))) (xs, ws) 1
