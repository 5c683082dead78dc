-- Slices in several dimensions of an array in one.

-- ==
-- entry: diagonals
-- input { 3i64 } output { [[0i64, 4i64], [1i64, 5i64]] [9i64, 8i64, 2i64, 3i64, 7i64, 6i64, 6i64, 7i64, 8i64] }
entry diagonals (n: i64) =
  let xs = iota (n * n)
  in (intrinsics.flat_index_2d xs 0 2 1 2 (n + 1), intrinsics.flat_update_2d (copy xs) 0 1 (n + 1) [[9, 7], [8, 6]])

-- ==
-- entry: outside
-- input { 2i64 } output { [[0i64, 1i64], [3i64, 4i64]] }
-- input { 4i64 } error: out of bounds
-- input { -2i64 } error: out of bounds
entry outside (k: i64) = intrinsics.flat_index_2d (iota 6) 0 2 3 (i64.abs k) (i64.sgn k)
