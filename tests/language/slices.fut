-- Slices, strides, ranges, and updates through slices.

-- ==
-- entry: sliced
-- input { [0, 1, 2, 3, 4, 5] }
-- output { [1, 2] [0, 1] [4, 5] [0, 2, 4] [5, 4, 3, 2, 1, 0] [5, 3, 1] }
entry sliced (xs: [6]i32) =
  (xs[1:3], xs[:2], xs[4:], xs[::2], xs[::-1], xs[5:0:-2])

-- ==
-- entry: planes
-- input { [[1, 2, 3], [4, 5, 6]] } output { [2, 5] [[2, 3], [5, 6]] [[6, 5, 4]] 6 }
entry planes [n] [m] (xss: [n][m]i32) = (xss[:, 1], xss[:, 1:3], xss[1:2, ::-1], xss[1, 2])

-- ==
-- entry: written
-- input { [0, 0, 0, 0, 0] [7, 8] } output { [0, 7, 8, 9, 0] [[0, 0], [1, 2]] }
entry written (xs: *[5]i32) (ys: [2]i32) =
  let xs[1:3] = ys
  let xss = replicate 2 (replicate 2 0)
  in (xs with [3] = 9, xss with [1] = [1, 2])

-- ==
-- entry: ranges
-- input { 2i64 7i64 } output { [2i64, 3i64, 4i64, 5i64, 6i64] [2i64, 4i64, 6i64] [7i64, 6i64, 5i64, 4i64, 3i64] [7u8, 8u8, 9u8] [7i64, 5i64, 3i64] }
entry ranges (a: i64) (b: i64) = (a..<b, a..4i64...b, b..>a, 7u8...9, b..5i64..>a)

-- ==
-- entry: out_of_bounds
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 9i64 } error: out of bounds
-- input { -1i64 } error: out of bounds
entry out_of_bounds (n: i64) = (iota 5)[:n]
