-- Loops in loops that go on with the state, states that are made where they were, and arrays of zeros that are made where they are stored.

-- | The loop inside goes on where the one around is.
-- ==
-- entry: goes_on
-- random input { [5]f64 3i64 4i64 }
-- auto output
-- random input { [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 0i64 3i64 }
-- auto output
-- random input { [5]f64 3i64 0i64 }
-- auto output
entry goes_on [n] (xs: [n]f64) (k: i64) (l: i64) : [n]f64 =
  loop (xs: [n]f64) = xs for i < k do
    loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin (xs[p] + f64.i64 (i + 2 * j)) * xs[n - 1 - p]) (iota n)

-- | Of three loops each goes on with the state.
-- ==
-- entry: three
-- random input { [5]f64 3i64 2i64 3i64 }
-- auto output
-- random input { [5]f64 2i64 3i64 1i64 }
-- auto output
entry three [n] (xs: [n]f64) (k: i64) (l: i64) (m: i64) : [n]f64 =
  loop (xs: [n]f64) = xs for i < k do
    loop (xs: [n]f64) = xs for j < l do
      loop (xs: [n]f64) = xs for h < m do map (\p -> f64.sin (xs[p] + f64.i64 (i + 2 * j + h)) * xs[n - 1 - p]) (iota n)

-- | The one around needs its state again, behind the one inside.
-- ==
-- entry: needed_again
-- random input { [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 2i64 2i64 }
-- auto output
entry needed_again [n] (xs: [n]f64) (k: i64) (l: i64) : ([n]f64, f64) =
  loop (xs: [n]f64, s) = (xs, 0) for i < k do
    let next = loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin xs[p] * xs[n - 1 - p]) (iota n)
    in (next, s + f64.sum (map2 (*) xs (reverse next)))

-- | Its sum alone.
-- ==
-- entry: summed_up_behind
-- random input { [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 2i64 2i64 }
-- auto output
entry summed_up_behind [n] (xs: [n]f64) (k: i64) (l: i64) : ([n]f64, f64) =
  loop (xs: [n]f64, s) = (xs, 0) for i < k do
    let next = loop (xs: [n]f64) = xs for j < l do tabulate n (\p -> f64.sin xs[p] * xs[n - 1 - p])
    in (next, s + f64.sum (map2 (*) xs (reverse xs)))

-- | Or what comes of the one inside, before it is the next state.
-- ==
-- entry: changed_again
-- random input { [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 2i64 2i64 }
-- auto output
entry changed_again [n] (xs: [n]f64) (k: i64) (l: i64) : [n]f64 =
  loop (xs: [n]f64) = xs for i < k do
    let next = loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin xs[p] * xs[n - 1 - p]) (iota n)
    in map (\p -> next[p] + next[(p * 2) % n]) (iota n)

-- | Another loop goes on with one of two states, and its result becomes the other.
-- ==
-- entry: take_turns
-- random input { [5]f64 [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 [5]f64 4i64 2i64 }
-- auto output
entry take_turns [n] (xs: [n]f64) (ys: [n]f64) (k: i64) (l: i64) : ([n]f64, [n]f64) =
  loop (xs: [n]f64, ys: [n]f64) = (xs, ys) for i < k do
    let next = loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin xs[p] * xs[n - 1 - p]) (iota n)
    in (ys, next)

-- | Two states, of which one is read for the other.
-- ==
-- entry: two_states
-- random input { [5]f64 [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 [5]f64 2i64 2i64 }
-- auto output
entry two_states [n] (xs: [n]f64) (ys: [n]f64) (k: i64) (l: i64) : ([n]f64, [n]f64) =
  loop (xs: [n]f64, ys: [n]f64) = (xs, ys) for i < k do
    loop (xs: [n]f64, ys: [n]f64) = (xs, ys) for j < l do (map (\p -> xs[n - 1 - p] + ys[p]) (iota n), map (\p -> f64.cos ys[n - 1 - p] - xs[p]) (iota n))

-- | Branches, in which there is a loop that goes on.
-- ==
-- entry: in_a_branch
-- random input { [5]f64 3i64 3i64 }
-- auto output
-- random input { [5]f64 4i64 2i64 }
-- auto output
entry in_a_branch [n] (xs: [n]f64) (k: i64) (l: i64) : [n]f64 =
  loop (xs: [n]f64) = xs for i < k do
    if i % 2 == 0 then (loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin xs[p] * xs[n - 1 - p]) (iota n)) else map (\p -> xs[n - 1 - p]) (iota n)

-- | The loop around counts while it goes on.
-- ==
-- entry: while_it_is_small
-- random input { [5]f64 3i64 3i64 }
-- auto output
entry while_it_is_small [n] (xs: [n]f64) (k: i64) (l: i64) : ([n]f64, i64) =
  loop (xs: [n]f64, i) = (xs, 0) while i < k do
    ((loop (xs: [n]f64) = xs for j < l do map (\p -> f64.sin xs[p] * xs[n - 1 - p]) (iota n)), i + 1)

-- | What is only added to is updated where it is; the first state is needed again, too.
-- ==
-- entry: added_to
-- random input { [4]f64 [4]f64 3i64 }
-- auto output
-- random input { [4]f64 [4]f64 0i64 }
-- auto output
entry added_to [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64, f64) =
  let (sums, ys) = loop (sums: [n]f64, ys: [n]f64) = (xs, ys) for i < k do
                     (map2 (\x y -> x + y * f64.i64 i) sums ys, tabulate n (\p -> f64.sin ys[p] + ys[n - 1 - p]))
  in (sums, ys, f64.sum xs)

-- | In memory of its own, and row by row in a loop in a loop.
-- ==
-- entry: rows_added_to
-- random input { [3][4]f64 3i64 }
-- auto output
entry rows_added_to [m] [n] (yss: [m][n]f64) (k: i64) : ([n]f64, [n]f64) =
  loop (sums: [n]f64, ys: [n]f64) = (replicate n 0, replicate n 1) for i < k do
    loop (sums, ys) = (sums, ys) for j < m do
      (map2 (+) sums yss[j], tabulate n (\p -> f64.sin ys[p] + ys[n - 1 - p]))

-- | The state is read by others in its step, before and behind its sum.
-- ==
-- entry: added_to_and_read
-- random input { [4]f64 [4]f64 3i64 }
-- auto output
entry added_to_and_read [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64, [n]f64) =
  loop (xs: [n]f64, ys: [n]f64, zs: [n]f64) = (xs, ys, ys) for i < k do
    let before = map (\p -> xs[n - 1 - p] + ys[p]) (iota n)
    let sums = map2 (+) xs ys
    in (sums, before, map (\p -> sums[n - 1 - p] * xs[(p * 2) % n] - zs[p]) (iota n))

-- | Zeros to which each step adds are made in the row that they become.
-- ==
-- entry: rows_of_sums
-- random input { [3][6]i64 [6]f64 4i64 }
-- auto output
-- random input { [3][6]i64 [6]f64 1i64 }
-- auto output
-- random input { [0][6]i64 [6]f64 4i64 }
-- auto output
entry rows_of_sums [s] [n] (iss: [s][n]i64) (xs: [n]f64) (k: i64) : [s][k]f64 =
  let start = replicate s (replicate k 1)
  in loop rows = start for t < s do
       let old = rows[t]
       let scale = f64.sum old
       let is = map (% k) iss[t]
       let sums = vjp (\(ws: [k]f64) -> f64.sum (map2 (\i x -> ws[i] * x * x + f64.sin ws[i]) is xs)) (replicate k scale) 1
       in rows with [t] = sums

-- | The same zeros are stored twice, or what was there is read later.
-- ==
-- entry: rows_that_are_read
-- random input { [3][6]i64 [6]f64 4i64 }
-- auto output
entry rows_that_are_read [s] [n] (iss: [s][n]i64) (xs: [n]f64) (k: i64) : ([s][k]f64, [s]f64) =
  let start = (replicate s (replicate k 1), replicate s 0)
  in loop (rows, totals) = start for t < s do
       let is = map (% k) iss[t]
       let sums = vjp (\(ws: [k]f64) -> f64.sum (map2 (\i x -> ws[i] * x * x) is xs)) (replicate k 2) 1
       let total = f64.sum (map2 (*) (reverse rows[t]) sums)
       let rows = rows with [t] = sums
       in (rows, totals with [t] = total)

-- | Rows of zeros, as such.
-- ==
-- entry: zeros
-- random input { [3][6]f64 }
-- auto output
entry zeros [s] [n] (xss: *[s][n]f64) : ([s][n]f64, f64) =
  let row = replicate n 0
  let xss[s - 1] = row
  let total = f64.sum (map f64.sum xss)
  let xss[0] = map (+ total) row
  in (xss, total)
