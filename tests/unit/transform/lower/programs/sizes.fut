-- Existential sizes, coercions, sizes that are expressions.

-- ==
-- entry: filtered
-- input { [1i32, -2i32, 3i32] } output { [1i32, 3i32] 2i64 }
-- input { empty([0]i32) } output { empty([0]i32) 0i64 }
entry filtered [n] (xs: [n]i32) =
  let ys = filter (> 0) xs
  in (ys, length ys)

-- ==
-- entry: filtered_pairs
-- input { [1i32, -2i32, 3i32] } output { [1i32, 3i32] [2i32, 6i32] }
entry filtered_pairs [n] (xs: [n]i32) = unzip (filter (\(x, _) -> x > 0) (map (\x -> (x, 2 * x)) xs))

-- ==
-- entry: parted
-- input { [1i32, -2i32, 3i32] } output { [1i32, 3i32] [-2i32] }
entry parted [n] (xs: [n]i32) = partition (> 0) xs

-- ==
-- entry: branch
-- input { true 3i64 } output { [0i64, 1i64, 2i64] }
-- input { false 3i64 } output { [7i64] }
entry branch (b: bool) (n: i64) : []i64 = if b then iota n else [7]

-- ==
-- entry: coerced
-- input { [1i32, 2i32] [3i32, 4i32] } output { [4i32, 6i32] }
-- input { [1i32, 2i32] [3i32] } error: .
entry coerced [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs (ys :> [n]i32)

def outer [n] [m] (xs: [n]f64) (ys: [m]f64) : [n * m]f64 =
  flatten (map (\x -> map (* x) ys) xs)

-- ==
-- entry: products
-- input { [1.0, 2.0] [3.0, 4.0] } output { [3.0, 4.0, 6.0, 8.0] 21.0 }
entry products [n] [m] (xs: [n]f64) (ys: [m]f64) =
  let zs = outer xs ys
  in (zs, f64.sum (map2 (\a b -> if a > b then a else b) zs (outer xs ys)))

-- ==
-- entry: sized_by_value
-- input { 2i64 } output { [[0i64, 0i64], [0i64, 1i64]] }
entry sized_by_value (n: i64) = tabulate_2d n n (\i j -> i * j)

def dup [n] 't (xs: [n]t) : [2 * n]t = xs ++ xs :> [2 * n]t

-- ==
-- entry: twice
-- input { [1i32, 2i32] } output { [1i32, 2i32, 1i32, 2i32] }
entry twice [n] (xs: [n]i32) = dup xs

-- ==
-- entry: applied_to_unknown
-- input { [3i32, -1i32] } output { 3i32 }
entry applied_to_unknown [n] (xs: [n]i32) = filter (> 0) xs |> map (* 1) |> i32.sum

-- ==
-- entry: bound_sizes
-- input { [1i32, -2i32, 3i32] } output { 2i64 }
entry bound_sizes [n] (xs: [n]i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in k + i64.i32 ys[0] - 1

-- ==
-- entry: inner_length
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [2i64, 2i64] }
entry inner_length [n] [m] (xss: [n][m]i32) = map length xss

-- ==
-- entry: computed_size_of_parameter
-- input { 2i64 1i64 [1i32, 2i32] } output { [[1i32], [2i32]] }
-- input { 2i64 2i64 [1i32, 2i32] } error: coerced
entry computed_size_of_parameter (n: i64) (m: i64) (xs: [n * m]i32) : [n][m]i32 = unflatten xs

def grid 't n m : [i64.i32 n * i64.i32 m]t -> [][]t = unflatten

-- ==
-- entry: function_with_sizes_of_values
-- input { 2i32 1i32 [1i32, 2i32] } output { 2i64 1i64 [[1i32], [2i32]] }
entry function_with_sizes_of_values n m xs =
  let [x][y] (ys: [x][y]i32) = grid n m xs
  in (x, y, ys)

def next_size [n] (_: [n]i32 -> i32) : [n]i32 -> i64 =
  let m = n + 1
  in \_ -> m

-- ==
-- entry: size_of_later_argument
-- input { [1i32, -1i32, 2i32] } output { 3i64 }
entry size_of_later_argument [n] (xs: [n]i32) = filter (> 0) xs |> next_size (\_ -> 0)
