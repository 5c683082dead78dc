-- Making, indexing, slicing, updating and rearranging arrays.

-- ==
-- entry: literal
-- input { 1i32 2i32 } output { [[1i32, 2i32], [2i32, 1i32]] }
entry literal (a: i32) (b: i32) = [[a, b], [b, a]]

-- ==
-- entry: tuple_literal
-- input { 1i32 } output { [1i32, 2i32] [true, false] }
entry tuple_literal (a: i32) = unzip [(a, true), (2, false)]

-- ==
-- entry: indexed
-- input { [[1i32, 2i32], [3i32, 4i32]] 1i32 } output { [3i32, 4i32] 4i32 }
-- input { [[1i32, 2i32], [3i32, 4i32]] 2i32 } error: out of bounds
entry indexed [n] [m] (xss: [n][m]i32) (i: i32) = (xss[i], xss[i, 1])

-- ==
-- entry: sliced
-- input { [0i32, 1i32, 2i32, 3i32, 4i32] 1i64 4i64 } output { [1i32, 2i32, 3i32] [1i32, 2i32, 3i32, 4i32] [0i32, 1i32, 2i32, 3i32] }
-- input { [0i32, 1i32] 1i64 1i64 } output { empty([0]i32) [1i32] [0i32] }
-- input { [0i32, 1i32] 1i64 3i64 } error: out of bounds
-- input { [0i32, 1i32] 2i64 1i64 } error: out of bounds
entry sliced [n] (xs: [n]i32) (i: i64) (j: i64) = (xs[i:j], xs[i:], xs[:j])

-- ==
-- entry: strided
-- input { [0i32, 1i32, 2i32, 3i32, 4i32] } output { [4i32, 3i32, 2i32, 1i32, 0i32] [0i32, 2i32, 4i32] [3i32, 1i32] [4i32, 2i32] }
entry strided [n] (xs: [n]i32) = (xs[::-1], xs[::2], xs[3:0:-2], xs[4:1:-2])

-- ==
-- entry: strided_by
-- input { [0i32, 1i32, 2i32, 3i32, 4i32] 2i64 } output { [0i32, 2i32, 4i32] }
-- input { [0i32, 1i32, 2i32, 3i32, 4i32] -2i64 } output { [4i32, 2i32, 0i32] }
-- input { [0i32, 1i32, 2i32, 3i32, 4i32] 0i64 } error: stride
entry strided_by [n] (xs: [n]i32) (s: i64) = xs[::s]

-- ==
-- entry: matrix_slices
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [2i32, 5i32] [[2i32, 3i32], [5i32, 6i32]] }
entry matrix_slices [n] [m] (xss: [n][m]i32) = (xss[:, 1], xss[:, 1:])

-- ==
-- entry: updated
-- input { [1i32, 2i32, 3i32] } output { [1i32, 9i32, 3i32] [1i32, 2i32, 3i32] }
entry updated [n] (xs: [n]i32) = (copy xs with [1] = 9, xs)

-- ==
-- entry: updated_slice
-- input { [1i32, 2i32, 3i32, 4i32] [8i32, 9i32] } output { [1i32, 8i32, 9i32, 4i32] }
-- input { [1i32, 2i32, 3i32, 4i32] [8i32] } error: .
entry updated_slice [n] [m] (xs: *[n]i32) (ys: [m]i32) = xs with [1:3] = (ys :> [2]i32)

-- ==
-- entry: updated_tuples
-- input { [1i32, 2i32] } output { [1i32, 7i32] [true, false] }
entry updated_tuples [n] (xs: [n]i32) =
  let ys = map (\x -> (x, true)) xs
  let ys[1] = (7, false)
  in unzip ys

-- ==
-- entry: updated_row
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [[5i32, 6i32], [3i32, 9i32]] }
entry updated_row (xss: *[2][2]i32) =
  let xss[0] = [5, 6]
  in xss with [1, 1] = 9

-- ==
-- entry: zip_is_fresh
-- input { [1i32, 2i32] } output { [9i32, 2i32] [1i32, 2i32] }
entry zip_is_fresh [n] (xs: [n]i32) =
  let ps = zip xs xs
  let ps[0] = (9, 9)
  in ((unzip ps).0, xs)

-- ==
-- entry: ranges
-- input { 3i64 } output { [0i64, 1i64, 2i64] [1i64, 2i64, 3i64] [3i64, 2i64, 1i64] [0i64, 2i64, 4i64] [5i32, 3i32, 1i32] }
entry ranges (n: i64) = (0..<n, 1...n, n..>0, 0..2..<n + 2, 5..3...1)

-- ==
-- entry: small_range
-- input { 2i32 5i32 } output { [2i32, 3i32, 4i32] }
-- input { 5i32 2i32 } error: range
entry small_range (a: i32) (b: i32) = a..<b

-- ==
-- entry: rearranged
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] }
entry rearranged [n] [m] (xss: [n][m]i32) = (transpose xss, flatten xss)

-- ==
-- entry: unflattened
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] } output { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
entry unflattened [n] (xs: [n]i32) = unflatten (xs :> [2 * 3]i32)

-- ==
-- entry: joined
-- input { [1i32, 2i32] [3i32] } output { [1i32, 2i32, 3i32] [3i32, 1i32, 2i32] [2i32, 1i32] [2i32, 1i32] }
entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) = (xs ++ ys, concat ys xs, reverse xs, rotate 1 xs)

-- ==
-- entry: parts
-- input { [1i32, 2i32, 3i32] } output { 1i32 3i32 [2i32, 3i32] [1i32, 2i32] [1i32, 2i32] [3i32] }
entry parts [n] (xs: [n]i32) = (head xs, last xs, tail xs, init xs, take 2 xs, drop 2 xs)

-- ==
-- entry: rows_of_tuples
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [3i32, 4i32] [6.0, 8.0] }
entry rows_of_tuples [n] [m] (xss: [n][m]i32) =
  let ps = map (map (\x -> (x, 2.0 * f64.i32 x))) xss
  in unzip ps[1]

-- ==
-- entry: empty
-- input { } output { empty([0]i32) empty([0][2]f64) }
entry empty : ([0]i32, [0][2]f64) = ([], [])
