-- Scans and reductions of mapped and reversed arrays, and maps of their results, backwards and forwards.

def compose (a: (i64, i64)) (b: (i64, i64)) : (i64, i64) = (a.0 * b.0, a.1 * b.0 + b.1)

-- | The scan's only reader.
-- ==
-- entry: squares_of_sums
-- input { [1f64, 2f64, 3f64] } output { [1f64, 9f64, 36f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry squares_of_sums [n] (xs: [n]f64) : [n]f64 = map (\s -> s * s) (scan (+) 0 xs)

-- | Its reader goes backwards.
-- ==
-- entry: last_sums_first
-- input { [1f64, 2f64, 3f64] } output { [12f64, 6f64, 2f64] }
entry last_sums_first [n] (xs: [n]f64) : [n]f64 = map (2 *) (reverse (scan (+) 0 xs))

-- | Sums from the end, each divided by how many there are: into the scan and out of it backwards.
-- ==
-- entry: suffix_means
-- input { [1f64, 2f64, 6f64] } output { [3f64, 4f64, 6f64] }
-- input { [5f64] } output { [5f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry suffix_means [n] (xs: [n]f64) : [n]f64 =
  let sums = reverse (scan (+) 0 (reverse xs))
  in map2 (\s i -> s / f64.i64 (n - i)) sums (iota n)

-- | A mapped array, backwards, into a scan whose operator does not commute; one part of the pairs is read.
-- ==
-- entry: evaluated_from_end
-- input { 2i64 [1i64, 2i64, 3i64] } output { [17i64, 8i64, 3i64] }
entry evaluated_from_end [n] (x: i64) (coefficients: [n]i64) : [n]i64 =
  let steps = map (\c -> (if c > 5 then 1 else x / 2 + 1, c)) coefficients
  let values = scan compose (1, 0) (reverse steps)
  in map (\(_, v) -> v) (reverse values)

-- | A mapped array, backwards, into a reduction whose operator does not commute.
-- ==
-- entry: horner
-- input { 10i64 [1i64, 2i64, 3i64] } output { 321i64 }
-- input { 10i64 empty([0]i64) } output { 0i64 }
entry horner [n] (x: i64) (coefficients: [n]i64) : i64 =
  (reduce compose (1, 0) (reverse (map (\c -> (x, c)) coefficients))).1

-- | Half of a mapped array.
-- ==
-- entry: sum_of_odd_squares
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { 35i64 }
entry sum_of_odd_squares [n] (xs: [n]i64) : i64 =
  reduce (+) 0 (map (\x -> x * x) xs)[::2]

-- | Two readers: the sums are stored.
-- ==
-- entry: sums_and_squares
-- input { [1i32, 2i32, 3i32] } output { [1i32, 3i32, 6i32] [1i32, 9i32, 36i32] }
entry sums_and_squares [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let sums = scan (+) 0 xs
  in (sums, map (\s -> s * s) sums)

-- | Two readers, one backwards: not a single pass.
-- ==
-- entry: from_both_ends
-- input { [1i64, 2i64, 3i64] } output { [7i64, 6i64, 7i64] }
entry from_both_ends [n] (xs: [n]i64) : [n]i64 =
  let sums = scan (+) 0 xs
  in map2 (\s t -> s + t) sums (reverse sums)

-- | The reader also looks elsewhere in the sums.
-- ==
-- entry: differences
-- input { [5i64, 2i64, 3i64] } output { [5i64, 2i64, 3i64] }
entry differences [n] (xs: [n]i64) : [n]i64 =
  let sums = scan (+) 0 xs
  in map2 (\i s -> if i == 0 then s else s - sums[i - 1]) (iota n) sums

-- | Two scans meet in one map.
-- ==
-- entry: mean_and_largest
-- input { [1f64, 5f64, 3f64] } output { [0f64, 2f64, 2f64] }
entry mean_and_largest [n] (xs: [n]f64) : [n]f64 =
  map3 (\i s m -> m - s / f64.i64 (i + 1)) (iota n) (scan (+) 0 xs) (scan f64.max f64.lowest xs)

-- | What the reader writes is updated in place afterwards, and what it reads before.
-- ==
-- entry: with_updates
-- input { 1i64 [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] } output { [11i64, 0i64, 36i64] [7i64, 20i64, 30i64] }
entry with_updates [n] (at: i64) (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  let sums = scan (+) 0 xs
  let ys' = if n > 0 then copy ys with [0] = 7 else copy ys
  let zs = map2 (+) sums ys
  in (if at >= 0 && at < n then zs with [at] = 0 else zs, ys')

-- | Rows: every row is scanned by a thread of its own.
-- ==
-- entry: row_suffix_sums
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[3i64, 2i64], [7i64, 4i64]] }
entry row_suffix_sums [n] [m] (xss: [n][m]i64) : [n][m]i64 =
  map (\xs -> reverse (scan (+) 0 (reverse xs))) xss

entry suffix_means_vjp [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp suffix_means xs seed
