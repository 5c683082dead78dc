-- Arithmetic of sizes and indices wraps around like any other: only what counts the elements of an array is known not to.

-- A hash of the index.
-- ==
-- entry: hashes
-- input { 20i64 }
-- output { [0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3] }
entry hashes (n: i64) : []i64 = map (\i -> (i * 1000000007 * 998244353) % 10) (iota n)

-- ==
-- entry: hashes_in_a_loop
-- input { [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32, 9f32, 10f32, 11f32, 12f32] }
-- output { [0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5] }
entry hashes_in_a_loop [n] (_xs: [n]f32) : [n]i64 =
  loop rs = replicate n 0 for i < n do rs with [i] = (i * 1000000007 * 998244353) % 10

-- As an index it is checked, or is within bounds because of the modulus.
-- ==
-- entry: picked
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { [1i32, 12, 3, 14, 5, 16, 7, 18, 9, 20, 15, 6, 17, 8, 19, 10, 1, 12, 3, 14] }
entry picked [n] (xs: [n]i32) : [n]i32 = map (\i -> xs[(i * 1000000007 * 998244353) % n]) (iota n)

-- ==
-- entry: signs
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { [false, false, false, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, false] }
entry signs [n] (_xs: [n]i32) : [n]bool = map (\i -> i * 1000000007 * 998244353 < 0) (iota n)

-- ==
-- entry: power
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { -589355449631300462i64 }
entry power [n] (_xs: [n]i32) : i64 = (n * n * n * n * n * n * n * n * n * n * n * n * n * n * n) / 7

-- What the wrapped number is compared with is no bound of it.
-- ==
-- entry: at_least
-- input { 20i64 }
-- output { [0i64, 998244359987710471, 1996488719975420942, 2994733079963131413, 3992977439950841884, 4991221799938552355, 5989466159926262826, 6987710519913973297, 7985954879901683768, 8984199239889394239, -5, -5, -5, -5, -5, -5, -5, -5, -5, 519898766056947333] }
entry at_least (n: i64) : []i64 = map (\i -> i64.max (i * 1000000007 * 998244353) (-5)) (iota n)

-- A product of two numbers of 32 bits does not overflow, and is as large as it is.
-- ==
-- entry: squares
-- input { [2147483647i32, -2147483648, 3] }
-- output { [4611686014132420609i64, 4611686018427387904, 2305843009213693952] }
entry squares (xs: []i32) : []i64 =
  map (\x -> let square = i64.i32 x * i64.i32 x in i64.max square 2305843009213693952) xs

-- ==
-- entry: doubled_squares
-- input { [2147483647i32, -2147483648, 3] }
-- output { [3074457342754947072i64, -3074457345618258603, 6] }
entry doubled_squares (xs: []i32) : []i64 = map (\x -> (i64.i32 x * i64.i32 x * 2) / 3) xs

-- Sums of what is large.
-- ==
-- entry: far_sums
-- input { [1i32, 2, 3, 4] }
-- output { [9223372036854775i64, -9223367638808266, -9223363240761755, -9223358842715244] }
entry far_sums [n] (_xs: [n]i32) : [n]i64 =
  map (\i -> (i * 2097152 * 2097152 + 9223372036854775000) / 1000) (iota n)

-- Memory of a size that wraps around has room for each of them.
-- ==
-- entry: sizes
-- input { 11i64 }
-- output { [0i64, 45, 45, 45, 45, 45, 45, 45, 45, 45, 0] }
-- input { 12i64 }
-- output { [0i64, 45, 45, 45, 45, 45, 45, 45, 45, 45, 0, 0] }
-- input { 20i64 }
-- output { [0i64, 45, 45, 45, 45, 45, 45, 45, 45, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 45] }
entry sizes (n: i64) : [n]i64 =
  map (\i -> let xs = scan (+) 0 (iota (i64.max 0 (i64.min (i * 1000000007 * 998244353) 10)))
            in loop s = 0 for x in xs do i64.max s x)
      (iota n)

-- | The number of elements of an array that is not made.
-- ==
-- entry: not_there
-- input { [2097152i32] } output { 1i64 }
-- input { [3i32] } output { 20i64 }
entry not_there (xs: []i32) : i64 =
  let k = i64.max 1 (i64.i32 xs[0])
  let p = k * k * k
  in if k < 100
     then let s = tabulate_3d k k k (\i j l -> i * j + l)
          in s[k / 2, 0, k / 3] + i64.sum (map (\i -> s[i, k - 1 - i, i]) (iota k)) + (p - 12)
     else i64.max p 1
