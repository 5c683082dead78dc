-- Temporaries whose sizes are known only while the program runs: read from arrays, decided by branches, changed by loops.

-- ==
-- entry: sum_below
-- input { [3i64, 4i64] } output { 23i64 }
-- input { empty([0]i64) } output { 0i64 }
entry sum_below (ns: []i64) : i64 =
  let n = i64.sum ns
  in i64.sum (scan (+) 0 (map (\i -> i % 3) (iota n)))

-- ==
-- entry: of_filtered
-- input { [1.0, -1.0, 2.0] } output { 11.0 }
-- input { [-1.0] } output { 0.0 }
entry of_filtered (xs: []f64) : f64 =
  let ys = filter (> 0) xs
  let n = length ys
  in f64.sum (flatten (map (\i -> scan (+) 0 (map (\y -> y + f64.i64 i) ys)) (iota n)))

-- ==
-- entry: grown
-- input { [1.0, 2.0] 3i64 } output { 24.0 }
-- input { [1.0, 2.0] 0i64 } output { 3.0 }
-- input { [1.0, 2.0] -1i64 } output { 3.0 }
entry grown (xs: []f64) (k: i64) : f64 =
  f64.sum (loop ys = xs for _i < k do ys ++ ys)

-- A stack that a loop takes from and puts to.

-- ==
-- entry: sum_of_tree
-- input { 3i64 } output { 8i64 }
-- input { 0i64 } output { 1i64 }
entry sum_of_tree (depth: i64) : i64 =
  let (sum, _) = loop (sum, stack) = (0, [depth]) while length stack > 0 do
                   let d = last stack
                   let rest = init stack
                   in if d <= 0 then (sum + 1, rest) else (sum, rest ++ [d - 1, d - 1])
  in sum

-- Two arrays that change places and grow.

-- ==
-- entry: rabbits
-- input { 4i64 [1i64] [2i64, 3i64] } output { [17i64, 13i64] }
entry rabbits (k: i64) (xs: []i64) (ys: []i64) : [2]i64 =
  let (xs, ys) = loop (xs, ys) for _i < k do (ys, map (% 5) xs ++ ys)
  in [i64.sum xs % 100, length ys]

-- The trip count is computed from data, and so is the size that a branch decides.

-- ==
-- entry: steps
-- input { [2i64, 1i64] [1.0, 2.0] } output { 9.0 }
-- input { [0i64] [1.0, 2.0] } output { 3.0 }
entry steps (ns: []i64) (xs: []f64) : f64 =
  let n = i64.sum ns
  let ys = if n > 2 then xs ++ [f64.i64 n] else copy xs
  in f64.sum (loop ys for i < n do ys with [0] = ys[0] + f64.i64 i)
