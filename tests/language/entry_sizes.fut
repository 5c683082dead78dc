-- Sizes of an entry's parameters are checked, whether or not the parameters are used.

-- ==
-- entry: computed
-- input { 1i64 [5, 6] } output { 1i64 }
-- input { 1i64 [5, 6, 7] } error: invalid size
entry computed (n: i64) (_: [n + 1]i32) = n

-- ==
-- entry: used
-- input { 1i64 [5, 6] } output { 11 }
-- input { 1i64 [5] } error: invalid size
entry used (n: i64) (xs: [2 * n]i32) = i32.sum xs

-- ==
-- entry: shared
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: invalid size
entry shared [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys
