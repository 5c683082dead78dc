-- Indices that inner scopes check first.

-- ==
-- entry: checked_in_a_loop
-- input { [[1.0, 2.0, 3.0], [-1.0, 1.0, 1.0]] [2.0, 3.0, 4.0] [7i64, 7i64] } output { [11.0, 1.0] }
-- input { [[1.0, 2.0, 3.0], [-1.0, 1.0, 1.0]] [2.0, 3.0, 4.0] empty([0]i64) } error: out of bounds
entry checked_in_a_loop [n] [m] (xss: [n][m]f64) (factors: [m]f64) (is: []i64) : [n]f64 =
  let j = length is - 1
  in map (\xs ->
            let ys = scan (+) 0 (map (\x -> x * factors[j]) xs)
            in ys[j] + (if ys[0] > 0 then xs[j] else 1))
         xss

-- At the size itself, which is outside whatever it is.
-- ==
-- entry: at_the_size
-- input { [3i64, 1i64, 4i64] true } error: index 2 is out of bounds for size 2
-- input { [3i64, 1i64, 4i64] false } output { 7i64 }
entry at_the_size (xs: []i64) (there: bool) : i64 =
  let [m] (ys: [m]i64) = filter (> 2) xs
  in if there then ys[m] else i64.sum ys

-- ==
-- entry: from_the_size
-- input { [3i64, 1i64, 4i64] } output { 0i64 [3i64, 1i64, 4i64] }
entry from_the_size [n] (xs: *[n]i64) : (i64, *[n]i64) =
  let [m] (ys: [m]i64) = filter (> 2) xs
  in (i64.sum ys[m:], xs with [n:] = copy xs[n:])

-- ==
-- entry: at_sizes_of_threads
-- input { [3i64, 1i64] } error: out of bounds
-- input { empty([0]i64) } output { empty([0]i64) }
entry at_sizes_of_threads [n] (xs: [n]i64) : [n]i64 =
  map (\x -> let ys = scan (+) 0 (map (+ x) xs) in ys[n]) xs

-- Additions there are ignored.
-- ==
-- entry: added_at_the_size
-- input { [3i64, 1i64] } output { [0i64, 0i64] }
entry added_at_the_size [n] (xs: [n]i64) : [n]i64 =
  reduce_by_index (replicate n 0) (+) 0 (map (const n) xs) xs

-- An array without elements has no index at all.
-- ==
-- entry: of_nothing
-- input { 1i64 0.5 [1.0] } error: index 1 is out of bounds
-- input { 1i64 2.5 [1.0] } output { [1.0] }
entry of_nothing [n] (k: i64) (x: f64) (ys: [n]f64) : []f64 =
  let xs : []i64 = tabulate 0 (\i -> i * 4 % 7)
  in if x < 1 && xs[k] > 2 then replicate 0 x else ys
