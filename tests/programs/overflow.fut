-- Arithmetic of sizes and indices wraps around like any other: only what counts the elements of an array is known not to.

-- A hash of the index.
-- ==
-- entry: hashes
-- input { 20i64 }
entry hashes (n: i64) : []i64 = map (\i -> (i * 1000000007 * 998244353) % 10) (iota n)

-- ==
-- entry: hashes_in_a_loop
-- input { [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32, 9f32, 10f32, 11f32, 12f32] }
entry hashes_in_a_loop [n] (_xs: [n]f32) : [n]i64 =
  loop rs = replicate n 0 for i < n do rs with [i] = (i * 1000000007 * 998244353) % 10

-- As an index it is checked, or is within bounds because of the modulus.
-- ==
-- entry: picked
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
entry picked [n] (xs: [n]i32) : [n]i32 = map (\i -> xs[(i * 1000000007 * 998244353) % n]) (iota n)

-- ==
-- entry: signs
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
entry signs [n] (_xs: [n]i32) : [n]bool = map (\i -> i * 1000000007 * 998244353 < 0) (iota n)

-- ==
-- entry: power
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
entry power [n] (_xs: [n]i32) : i64 = (n * n * n * n * n * n * n * n * n * n * n * n * n * n * n) / 7

-- What the wrapped number is compared with is no bound of it.
-- ==
-- entry: at_least
-- input { 20i64 }
entry at_least (n: i64) : []i64 = map (\i -> i64.max (i * 1000000007 * 998244353) (-5)) (iota n)

-- A product of two numbers of 32 bits does not overflow, and is as large as it is.
-- ==
-- entry: squares
-- input { [2147483647i32, -2147483648, 3] }
entry squares (xs: []i32) : []i64 =
  map (\x -> let square = i64.i32 x * i64.i32 x in i64.max square 2305843009213693952) xs

-- ==
-- entry: doubled_squares
-- input { [2147483647i32, -2147483648, 3] }
entry doubled_squares (xs: []i32) : []i64 = map (\x -> (i64.i32 x * i64.i32 x * 2) / 3) xs

-- Sums of what is large.
-- ==
-- entry: far_sums
-- input { [1i32, 2, 3, 4] }
entry far_sums [n] (_xs: [n]i32) : [n]i64 =
  map (\i -> (i * 2097152 * 2097152 + 9223372036854775000) / 1000) (iota n)
