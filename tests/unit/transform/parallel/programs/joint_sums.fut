-- Sums that several threads can compute jointly: transform/facts/joint_sums.hpp.

-- nests: grid 1 store
-- joint: 1
-- input [[1.0,2.0],[3.0,5.0]]
entry rows [n][m] (xss: [n][m]f64) : [n]f64 = map f64.sum xss

-- nests: grid 1 store
-- joint: 2
-- input [[1.0,2.0],[3.0,5.0]]
entry one_after_the_other [n][m] (xss: [n][m]f64) : [n]f64 =
  map (\xs -> let largest = f64.maximum xs in largest + f64.log (f64.sum (map (\x -> f64.exp (x - largest)) xs))) xss

-- nests: grid 2 store
-- joint: 1
-- input [[1.0,2.0],[3.0,5.0]] [[1.0,2.0],[3.0,5.0]]
entry of_sums [n][m][k] (xss: [n][m]f64) (yss: [n][k]f64) : [n][n]f64 =
  map (\xs -> map (\ys -> f64.sum (map (\x -> f64.maximum (map (* x) ys)) xs)) yss) xss

-- nests: grid 1 store
-- joint: 1
-- input [[1.0,2.0],[3.0,5.0]]
entry with_branch [n][m] (xss: [n][m]f64) : [n]f64 =
  map (\xs -> f64.sum (map (\x -> if x < 2 then x * x else 2 * x) xs)) xss

-- Few summands are for one thread.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]]
entry few [n] (xss: [n][2]f64) : [n]f64 = map f64.sum xss

-- nests: grid 1 store
-- joint: 1
entry many [n] (xss: [n][100]f64) : [n]f64 = map f64.sum xss

-- How many there are differs.
-- nests: grid 1 store
-- joint: 0
-- input [0i64, 3i64] [1.0, 2.0, 3.0]
entry of_part [n][m] (ks: [n]i64) (xs: [m]f64) : [n]f64 = map (\k -> f64.sum (map (\i -> #[unsafe] xs[i]) (iota k))) ks

-- A thread that leaves would be missed.
-- nests: grid 1 store
-- joint: 0
-- input [[0i64, 1i64]] [1.0, 2.0]
-- failing input [[0i64, 2i64]] [1.0, 2.0]
entry checked [n][m][k] (iss: [n][m]i64) (xs: [k]f64) : [n]f64 = map (\is -> f64.sum (map (\i -> xs[i]) is)) iss

-- nests: grid 1 store
-- joint: 0
-- input [[0i64, 1i64]] [1.0, 2.0]
-- failing input [[0i64, 2i64]] [1.0, 2.0]
entry asserted [n][m][k] (iss: [n][m]i64) (xs: [k]f64) : [n]f64 =
  map (\is -> f64.sum (map (\i -> let i = assert (i < k) i in #[unsafe] xs[i]) is)) iss

-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,0.0]]
entry in_order [n][m] (xss: [n][m]f64) : [n]f64 = map (reduce (\x y -> if y == 0 then x else y) 0) xss

-- Two at once, and pairs.
-- nests: grid 1 store store
-- joint: 1
-- input [[1.0,2.0],[3.0,0.0]]
entry two_sums [n][m] (xss: [n][m]f64) : ([n]f64, [n]f64) =
  unzip (map (\xs -> reduce_comm (\(x, y) (a, b) -> (x + a, f64.max y b)) (0, 0) (zip xs xs)) xss)

-- nests: grid 1 store store
-- joint: 1
-- input [[1.0,2.0],[3.0,0.0]]
entry pairs [n][m] (xss: [n][m]f64) : ([n]f64, [n]i64) =
  unzip (map (\xs -> reduce_comm (\(x, i) (y, j) -> if x < y || (x == y && i < j) then (y, j) else (x, i)) (-f64.inf, -1) (zip xs (iota m))) xss)

-- A thread goes through a loop of the program, or makes a row.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]] 3i64
entry with_loop [n][m] (xss: [n][m]f64) (k: i64) : [n]f64 =
  map (\xs -> let total = f64.sum xs in loop total for _i < k do f64.sin total) xss

-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]]
entry with_row [n][m] (xss: [n][m]f64) : [n]f64 = map (\xs -> f64.sum xs + f64.maximum (scan (+) 0 xs)) xss

-- nests: grid 1 store store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]]
entry row_results [n][m] (xss: [n][m]f64) : ([n]f64, [n][2]f64) =
  unzip (map (\xs -> let total = f64.sum xs in (total, [total, 2])) xss)

-- The nearest of few to many.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,0.0]] [[1.0,1.0],[3.0,4.0],[0.0,2.0]]
entry nearest [n][k][d] (xss: [n][d]f64) (cs: [k][d]f64) : [n]i64 =
  map (\xs -> (reduce_comm (\(x, i) (y, j) -> if x < y || (x == y && i < j) then (y, j) else (x, i)) (-f64.inf, -1)
                          (zip (map (\c -> f64.sum (map2 (*) xs c)) cs) (iota k))).1) xss

-- Each of the threads would begin with it.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,0.0]]
entry start [n][m] (xss: [n][m]f64) : [n]f64 = map (reduce_comm (+) 3) xss

-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,0.5]]
entry first_element [n][m] (xss: [n][m]f64) : [n]f64 =
  map (\xs -> (reduce_comm (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (f64.sqrt xss[0, 0], 0) (zip xs xs)).0) xss

-- Rows that are stored where they belong, and single elements that one thread changes at last.
-- nests: grid 1 store
-- joint: 2
-- input [[1.0,2.0],[3.0,5.0]]
entry stored_rows [n][m] (xss: [n][m]f64) : [n][m]f64 =
  map (\xs -> let total = f64.sum xs in #[unsafe] (map (/ total) xs) with [if total < 4 then 0 else m - 1] = 7) xss

-- A row that is nowhere stored would have to be each thread's own.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]]
entry row_of_its_own [n][m] (xss: [n][m]f64) : [n]f64 =
  map (\xs -> let total = f64.sum xs let ys = map (/ total) xs in f64.sum (map (\j -> #[unsafe] ys[m - 1 - j] * ys[j] * ys[0]) (iota m))) xss

-- What comes behind a change reads what one thread writes.
-- nests: grid 1 store store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]]
entry changed_before [n][m] (xss: [n][m]f64) : ([n]f64, [n][m]f64) =
  unzip (map (\xs ->
    let total = f64.sum xs
    let ys = #[unsafe] (map (/ total) xs) with [if total < 4 then 0 else m - 1] = 7
    in (f64.sum (map (\j -> #[unsafe] ys[m - 1 - j] * ys[j]) (iota m)), ys)) xss)

-- The change may fail.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]] 1i64
-- failing input [[1.0,2.0],[3.0,5.0]] 2i64
entry changed_where_checked [n][m] (xss: [n][m]f64) (k: i64) : [n][m]f64 =
  map (\xs -> let total = f64.sum xs in (map (/ total) xs) with [if total < 4 then 0 else k] = 7) xss

-- Nothing is summed up.
-- nests: grid 1 store
-- joint: 0
-- input [[1.0,2.0],[3.0,5.0]] [0i64, 1i64]
entry only_stored [n][m] (xss: [n][m]f64) (ks: [n]i64) : [n][m]f64 =
  map2 (\xs k -> #[unsafe] (map (* 2) xs) with [if k == 0 then 0 else m - 1] = 7) xss ks

-- nests: grid 1 store
-- joint: 0
-- input [0i64, 3i64, 7i64] [1.0, 2.0, 3.0]
entry at_least [n][m] (ks: [n]i64) (xs: [m]f64) : [n]f64 =
  map (\k -> f64.sum (map (\i -> #[unsafe] xs[i % m]) (iota (i64.abs k + m)))) ks

-- How many there are differs, but there are never more than is known before.
-- nests: grid 1 store
-- joint: 1
-- input [0i64, 3i64, 7i64, -1i64] [1.0, 2.0, 3.0]
entry at_most [n][m] (ks: [n]i64) (xs: [m]f64) : [n]f64 = map (\k -> f64.sum (#[unsafe] xs[0:i64.max (i64.min k m) 0])) ks

-- nests: grid 1 store
-- joint: 0
-- input [0i64, 3i64, 2i64] [1.0, 2.0, 3.0]
entry of_slices [n][m] (ks: [n]i64) (xs: [m]f64) : [n]f64 = map (\k -> f64.sum (#[unsafe] xs[0:k])) ks

-- nests: grid 1 store
-- joint: 0
-- input [0i64, -1i64, 0i64] [1.0, 2.0, 3.0]
entry of_slices_less [n][m] (ks: [n]i64) (xs: [m]f64) : [n]f64 = map (\k -> f64.sum (#[unsafe] xs[0:m + k])) ks
