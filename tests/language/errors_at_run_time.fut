-- Errors at run time: of indices, sizes, division, assertions, ranges, exponents.

-- ==
-- entry: index
-- input { 0i64 } output { 5 }
-- input { 2i64 } error: out of bounds
-- input { -1i64 } error: out of bounds
entry index (i: i64) = [5, 6][i]

-- ==
-- entry: division
-- input { 7 2 } output { 3 1 3 1 }
-- input { -7 2 } output { -4 1 -3 -1 }
-- input { 1 0 } error: division by zero
entry division (x: i32) (y: i32) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: sizes
-- input { [1, 2] [3, 4] } output { 11 }
-- input { [1, 2] [3] } error: cannot be coerced
entry sizes [n] [m] (xs: [n]i32) (ys: [m]i32) = i32.sum (map2 (*) xs (ys :> [n]i32))

-- ==
-- entry: assertion
-- input { 4 } output { 2 }
-- input { 5 } error: assertion
entry assertion (x: i32) = assert (x % 2 == 0) (x / 2)

-- ==
-- entry: range
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { -3i64 } error: range
entry range (n: i64) = 0..<n

-- ==
-- entry: power
-- input { 2 } output { 9 }
-- input { -1 } error: negative exponent
entry power (n: i32) = 3 ** n

-- ==
-- entry: made
-- input { 2i64 } output { [1, 1] }
-- input { -2i64 } error: negative
entry made (n: i64) = replicate n 1i32
