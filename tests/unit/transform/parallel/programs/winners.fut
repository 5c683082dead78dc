-- The best elements of bins and their numbers: flatten/winners.hpp.

def least_of (x: f64, i: i64) (y: f64, j: i64) = if y < x || (x == y && j < i) || (f64.isnan x && (!(f64.isnan y) || j < i)) then (y, j) else (x, i)
def smaller (x: i64, i: i64) (y: i64, j: i64) = if y < x || (x == y && j < i) then (y, j) else (x, i)
def bins [n] (is: [n]i64) = map (% 3) is

-- nests: grid 1 histogram, grid 1 store, grid 1 histogram, grid 1 scatter
-- grid: copies, direct, copies, atomic
-- input [1.0, 2.0, 0.5, 0.5, f64.nan, f64.inf] [0i64, 1i64, 0i64, 0i64, 1i64, 2i64] [1.0, 10.0, 100.0]
-- input [-0.0, 0.0, f64.nan, f64.nan] [0i64, 0i64, 1i64, -1i64] [1.0, 10.0, 100.0]
-- input empty([0]f64) empty([0]i64) [1.0, 10.0, 100.0]
entry of_minimum [n] (xs: [n]f64) (is: [n]i64) (seed: [3]f64) = vjp (\xs -> reduce_by_index (replicate 3 f64.inf) f64.min f64.inf is xs) xs seed

-- nests: grid 1 histogram, grid 1 store, grid 1 histogram, grid 1 scatter
-- input [1i64, 2i64, 5i64, 5i64, -3i64] [0i64, 1i64, 0i64, 0i64, 3i64] [1i64, 10i64, 100i64]
entry of_maximum [n] (xs: [n]i64) (is: [n]i64) (seed: [3]i64) =
  let (ys, ws) = unzip (reduce_by_index (replicate 3 (-1, -1)) (\(x, i) (y, j) -> if x < y || (x == y && j < i) then (y, j) else (x, i)) (-1, -1) is (zip xs (iota n)))
  in (ys, scatter (replicate n 0) ws seed)

-- What no element betters keeps its place.
-- nests: grid 1 histogram, grid 1 store, grid 1 histogram
-- input [7.0, 2.0, 3.0, 3.0] [0i64, 1i64, 2i64, 2i64]
-- input [2.5, f64.nan, 2.4, 2.4] [0i64, 1i64, 2i64, 2i64]
entry from_a_start [n] (xs: [n]f64) (is: [n]i64) = unzip (reduce_by_index (replicate 3 (2.5, -7)) least_of (f64.inf, -7) is (zip xs (iota n)))

-- nests: grid 1 histogram, grid 2 store, grid 1 histogram
-- input [[3i64, 1i64], [2i64, 2i64]] [1i64, 0i64]
-- input [[7i64, 1i64], [0i64, 2i64]] [1i64, 0i64]
entry pairs_of_bins [n] (xs: [n][2]i64) (is: [n]i64) =
  unzip (flatten (reduce_by_index_2d (replicate 2 (replicate 3 (i64.highest, -1))) smaller (i64.highest, -1) (zip is (map (\x -> x[0] - 1) xs)) (zip (map (\x -> x[1]) xs) (iota n))))

-- Elements that take work are stored; their numbers are not.
-- nests: grid 1 store, grid 1 histogram, grid 1 store, grid 1 histogram
-- input [1.0, 2.0, 0.5, 0.5] [0i64, 1i64, 0i64, 0i64]
entry dear [n] (xs: [n]f64) (is: [n]i64) = unzip (reduce_by_index (replicate 3 (f64.inf, -1)) least_of (f64.inf, -1) is (zip (map (\x -> f64.exp (f64.sin x) / f64.lgamma x + f64.gamma (x ** x) ** x) xs) (iota n)))

-- Of equal ones the later one.
-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64, 5i64, -3i64] [0i64, 1i64, 0i64, 0i64, 3i64]
entry later [n] (xs: [n]i64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (-1, -1)) (\(x, i) (y, j) -> if x < y || (x == y && i < j) then (y, j) else (x, i)) (-1, -1) is (zip xs (iota n)))

-- A NaN stays.
-- nests: grid 1 store store, grid 1 store store
-- input [f64.nan, 2.0, 5.0, 5.0, -3.0] [0i64, 1i64, 0i64, 0i64, 3i64]
entry until_nan [n] (xs: [n]f64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (f64.inf, -1)) (\(x, i) (y, j) -> if y < x || (x == y && j < i) then (y, j) else (x, i)) (f64.inf, -1) is (zip xs (iota n)))

-- The start counts as an element.
-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64, 5i64, -3i64] [0i64, 1i64, 0i64, 0i64, 3i64]
entry start_of_an_element [n] (xs: [n]i64) (is: [n]i64) = unzip (reduce_by_index (replicate 3 (5, 0)) smaller (i64.highest, 0) is (zip xs (iota n)))

-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64, 5i64, -3i64] [0i64, 1i64, 0i64, 0i64, 3i64] [-1i64, 3i64, 4i64]
entry from_values [n] (xs: [n]i64) (is: [n]i64) (start: [3]i64) = unzip (reduce_by_index (zip (copy start) (replicate 3 (-1))) smaller (i64.highest, -1) is (zip xs (iota n)))

-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64, 5i64, -3i64] [0i64, 1i64, 0i64, 0i64, 3i64]
entry others_than_numbers [n] (xs: [n]i64) (is: [n]i64) = unzip (reduce_by_index (replicate 3 (i64.highest, -1)) smaller (i64.highest, -1) is (zip xs is))

-- What values are compared with counts, too.
-- nests: grid 1 store store, grid 1 store store
-- input [1i64, -2i64, -5i64, 5i64, -3i64] [0i64, 0i64, 0i64, 0i64, 3i64]
entry below_zero [n] (xs: [n]i64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (i64.highest, -1)) (\(x, i) (y, j) -> if (y < x && x > 0) || (x == y && j < i) then (y, j) else (x, i)) (i64.highest, -1) is (zip xs (iota n)))

-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64] [0i64, 1i64, 2i64]
entry kept_crosswise [n] (xs: [n]i64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (i64.highest, -1)) (\(x, i) (y, j) -> if y < x || (x == y && j < i) then (y, j) else (i, x)) (i64.highest, -1) is (zip xs (iota n)))

-- nests: grid 1 store store, grid 1 store store
-- input [1i64, 2i64, 5i64] [0i64, 1i64, 2i64]
entry picked_crosswise [n] (xs: [n]i64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (i64.highest, -1)) (\(x, i) (y, j) -> if y < x || (x == y && j < i) then (j, y) else (x, i)) (i64.highest, -1) is (zip xs (iota n)))

-- nests: grid 1 store store, grid 1 store store
-- input [1.0, f64.nan, 2.0] [0i64, 1i64, 0i64] 1.5
entry from_what_may_be_nan [n] (xs: [n]f64) (is: [n]i64) (start: f64) = unzip (reduce_by_index (replicate 3 (start, -7)) least_of (f64.inf, -7) is (zip xs (iota n)))

-- The other way around there is nothing to find.
-- nests: grid 1 store store, grid 1 store store
-- input [1.0, 2.5, 2.0] [0i64, 1i64, 0i64]
entry number_first [n] (xs: [n]f64) (is: [n]i64) =
  unzip (reduce_by_index (replicate 3 (-1, f64.inf)) (\(i, x) (j, y) -> if y < x || (x == y && j < i) then (j, y) else (i, x)) (-1, f64.inf) is (zip (iota n) xs))
