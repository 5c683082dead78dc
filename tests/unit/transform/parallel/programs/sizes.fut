-- Sizes that threads alone know: sizes/thread_sizes.cpp. A reduction finds the largest.

def last_of_sums (k: i64) : i64 =
  let sums = scan (+) 0 (iota k)
  in if k > 0 then sums[k - 1] else 0

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,0i64,4i64]
entry elements [n] (ks: [n]i64) = map last_of_sums ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,0i64,4i64] 2i64
-- input [1i64,0i64] 2i64
entry in_a_branch [n] (ks: [n]i64) (m: i64) = map (\k -> if k > m then last_of_sums k else m) ks

-- nests: grid 1 store, grid 1 reduce, grid 1 store
-- input [3i64,0i64,4i64] 2i64
-- input [3i64,0i64,4i64] 0i64
entry in_a_loop [n] (ks: [n]i64) (m: i64) = map (\k -> loop t = k for j < m do t + last_of_sums (k * (m - j))) ks

-- nests: grid 1 reduce, grid 1 store
-- input [-3i64,0i64,4i64] [-5i64,2i64,7i64] 2i64
entry products_of_what_may_be_negative [n] (ks: [n]i64) (ls: [n]i64) (m: i64) =
  map2 (\k l -> let p = i64.min k m * i64.min l m in if p < 0 then 0 else last_of_sums p) ks ls

-- nests: grid 1 reduce, grid 1 store
-- input [-3i64,0i64,4i64] 5i64
entry less_what_may_be_negative [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 (m - k))) ks

-- nests: grid 1 reduce, grid 1 store
-- input [-3i64,0i64,4i64] 5i64
entry divided_by_a_negative_number [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 (i64.min k m / (-2)))) ks

-- nests: grid 1 store
-- input [3i64,0i64,4i64] 5i64
entry at_most_what_the_host_knows [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 (i64.min k m))) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,0i64,4i64] 5i64
entry at_least_what_the_host_knows [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max k m)) ks

-- Neither counts nor what is replicated are stored.
-- nests: grid 1 store
-- input [3i64,0i64,4i64]
entry reduced [n] (ks: [n]i64) = map (\k -> i64.sum (map (\j -> j * k) (iota k)) + (replicate k 2)[0]) (map (+ 1) ks)

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64]
entry updated [n] (ks: [n]i64) = map (\k -> let r = (replicate k 2) with [0] = 7 in i64.sum r) ks

-- nests: grid 1 store
-- input 5i64
entry of_indices (n: i64) = map (\i -> last_of_sums (i * 2 + 1)) (iota n)

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] 3i64
entry on_the_host_in_a_loop [n] (ks: [n]i64) (m: i64) = loop ks for i < m do map (\k -> last_of_sums k % 5) ks

-- nests: grid 1 reduce, grid 1 add
-- input [3i64,1i64,4i64] [1.0,2.0,3.0,4.0]
entry of_accumulators [n][m] (ks: [n]i64) (xs: [m]f64) = vjp (\xs -> f64.sum (map (\k -> f64.sum (scan (*) 1 xs[0:k])) ks)) xs 1

-- nests: grid 1 reduce, grid 1 store, grid 1 reduce, grid 1 scan
-- input [3i64,1i64,4i64]
entry beside_reductions [n] (ks: [n]i64) : (i64, [n]i64, [n]i64) = let ys = map last_of_sums ks in (i64.sum ys, ys, scan (+) 0 ks)

-- nests: grid 1 store, grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] 3i64
entry of_arrays_of_other_sizes [n] (ks: [n]i64) (m: i64) = map (\k -> let l = last_of_sums (i64.min m k) in last_of_sums l) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] [2i64,0i64,1i64]
entry read_by_index [n] (ks: [n]i64) (is: [n]i64) = map (\i -> last_of_sums ks[i]) is

-- One element after the other: the host makes the arrays.
-- nests: grid 1 scan
-- input [3i64,1i64,4i64] 3i64
entry that_grow_by_what_they_hold [n] (ks: [n]i64) (m: i64) =
  map (\k -> loop s = k for j < m do (if j % 2 == 0 then last_of_sums s else s) % 7) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] 3i64
entry states_of_loops [n] (ks: [n]i64) (m: i64) =
  map (\k -> (loop s = replicate k 1 for j < m do scan (+) 0 (map (+ j) s)) |> i64.sum) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,-1i64,4i64] 3i64
entry sums [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 (i64.min k m + k))) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,-1i64,4i64] 3i64
entry other_operations [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 ((m * 2) & k))) ks

-- nests: grid 1 store, grid 1 reduce, grid 1 store
-- input [[3i64,1i64],[4i64,2i64]]
entry two_levels_deep [n][m] (kss: [n][m]i64) = map (\ks -> i64.sum (map last_of_sums ks)) kss

-- nests: grid 1 scan
-- input [3i64,1i64] [0i64,1i64]
entry where_bins_are_consumed [n] (ks: [n]i64) (is: [n]i64) = reduce_by_index (replicate 2 0) (+) 0 is (map last_of_sums ks)

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,0i64,4i64] 2i64
entry in_the_other_branch [n] (ks: [n]i64) (m: i64) = map (\k -> if k * k == m then m else last_of_sums k) ks

-- nests: grid 1 reduce, grid 1 store
-- input [-3i64,0i64,4i64] 5i64
entry divided [n] (ks: [n]i64) (m: i64) = map (\k -> last_of_sums (i64.max 0 (i64.min k m / 2))) ks

-- The size needs one of two results of a function.
def step (k: i64) : (i64, i64) =
  let a = (k * 1103515245 + 12345) %% 2147483648
  in ((a ^ (a >> 7)) %% 7, a)

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,-1i64,4i64]
entry of_what_functions_yield [n] (ks: [n]i64) =
  map (\k -> let (l, next) = step k let (m, _) = step next in last_of_sums l + m) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64]
entry inside_of_an_update [n] (ks: [n]i64) =
  map (\k -> let r = (if k > 2 then replicate k 2 else replicate k 3) with [0] = 7 in i64.sum r) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] 2i64
entry updated_in_a_loop [n] (ks: [n]i64) (m: i64) =
  map (\k -> i64.sum (loop r = replicate k 2 for j < m do r with [0] = r[0] + j)) ks

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] [7i64,2i64,1i64,3i64,2i64]
-- failing input [3i64,9i64,4i64] [7i64,2i64,1i64,3i64,2i64]
entry of_elements_that_may_not_be_there [n][m] (is: [n]i64) (ks: [m]i64) = map (\i -> last_of_sums (ks[i] + i)) is

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] [1i64,0i64,1i64]
-- failing input [3i64,1i64,4i64] [1i64,0i64,9i64]
entry of_what_is_read_in_a_loop [n] (ks: [n]i64) (is: [n]i64) =
  map (\i -> last_of_sums (loop s = 0 for j < 2 do s + ks[i - j])) (map (+ 1) is)

-- nests: grid 1 reduce, grid 1 store
-- input [3i64,1i64,4i64] 5i64
entry quotients_by_negative_numbers [n] (ks: [n]i64) (m: i64) =
  map (\k -> last_of_sums (i64.max 0 (0 - (i64.max 0 (i64.min k m)) / (-2)))) ks

-- nests: grid 1 store
-- input [3i64,1i64,4i64] 5i64
entry copied [n] (ks: [n]i64) (m: i64) = map (\k -> i64.sum (scan (+) 0 (replicate (i64.max 0 (i64.min k m)) k))) ks
