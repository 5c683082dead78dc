-- Integer division by zero is an error of the program, wherever it happens; what does not run does not fail.

-- ==
-- entry: elements
-- input { [7i32, -7i32] [2i32, -2i32] } output { [3i32, 3i32] [1i32, -1i32] [3i32, 3i32] [1i32, -1i32] }
-- input { [-2147483648i32, 5i32] [-1i32, -1i32] }
-- output { [-2147483648i32, -5i32] [0i32, 0i32] [-2147483648i32, -5i32] [0i32, 0i32] }
-- input { [7i32, 7i32] [2i32, 0i32] } error: division by zero
entry elements [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

-- ==
-- entry: of_all_types
-- input { [-128i8] [-1i8] [200u8] [7u8] [-9223372036854775808i64] [-1i64] [18446744073709551615u64] [10u64] }
-- output { [-128i8] [4u8] [-9223372036854775808i64] [5u64] }
-- input { [1i8] [0i8] [200u8] [7u8] [1i64] [1i64] [1u64] [1u64] } error: division by zero
-- input { [1i8] [1i8] [200u8] [0u8] [1i64] [1i64] [1u64] [1u64] } error: division by zero
-- input { [1i8] [1i8] [200u8] [7u8] [1i64] [0i64] [1u64] [1u64] } error: division by zero
-- input { [1i8] [1i8] [200u8] [7u8] [1i64] [1i64] [1u64] [0u64] } error: division by zero
entry of_all_types [n] (as: [n]i8) (bs: [n]i8) (cs: [n]u8) (ds: [n]u8) (es: [n]i64) (fs: [n]i64) (gs: [n]u64) (hs: [n]u64)
    : ([n]i8, [n]u8, [n]i64, [n]u64) =
  (map2 (//) as bs, map2 (%) cs ds, map2 (/) es fs, map2 (%%) gs hs)

-- Of numbers that the caller gives.
-- ==
-- entry: scalars
-- input { 7i64 2i64 } output { 3i64 1i64 }
-- input { 7i64 0i64 } error: .
entry scalars (x: i64) (y: i64) : (i64, i64) = (x / y, x %% y)

-- Sizes that are quotients.
-- ==
-- entry: chunks
-- input { 7i64 2i64 } output { 4i64 }
-- input { 7i64 0i64 } error: .
entry chunks (n: i64) (k: i64) : i64 = i64.sum (scan (+) 0 (iota (n / k)))

-- ==
-- entry: in_branch
-- input { 8i32 0i32 } output { 8i32 }
-- input { 8i32 3i32 } output { 2i32 }
entry in_branch (x: i32) (y: i32) : i32 = if y == 0 then x else x / y

-- ==
-- entry: guarded
-- input { [8i32, 9i32] [0i32, 2i32] } output { [0i32, 1i32] }
entry guarded [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (\x y -> if y > 0 then x % y else 0) xs ys

-- ==
-- entry: in_loop
-- input { 100i32 [5i32, 2i32] 2i32 } output { 10i32 }
-- input { 100i32 [0i32, 2i32] 0i32 } output { 100i32 }
-- input { 100i32 [5i32, 0i32] 2i32 } error: division by zero
entry in_loop [n] (x: i32) (ys: [n]i32) (trips: i32) : i32 = loop x = x for i < trips do x / ys[i]

-- A loop that goes on until the quotient is small, which a failed division must end.
-- ==
-- entry: in_while
-- input { 100i32 [3i32, 10i32] } output { 0i32 0i32 }
-- input { 100i32 [0i32, 10i32] } error: division by zero
entry in_while [n] (x: i32) (ys: [n]i32) : (i32, i32) =
  let down (y: i32) = loop x while x > 0 do x / y
  in (down ys[0], down ys[1])

-- The operand of a reduction, of a scan, an operator.
-- ==
-- entry: of_operands
-- input { [6i32, 9i32] [2i32, 3i32] } output { 6i32 [3i32, 6i32] }
-- input { [6i32, 9i32] [2i32, 0i32] } error: division by zero
entry of_operands [n] (xs: [n]i32) (ys: [n]i32) : (i32, [n]i32) =
  (i32.sum (map2 (/) xs ys), scan (+) 0 (map2 (/) xs ys))

-- ==
-- entry: by_operator
-- input { [6i64, 4i64] 5i64 } output { 0i64 }
-- input { [6i64, 4i64] 0i64 } error: division by zero
entry by_operator [n] (xs: [n]i64) (m: i64) : i64 = reduce (\x y -> (x + y) % m) 0 xs

-- ==
-- entry: by_index
-- input { [0i64, 0i64, 1i64] [6i32, 4i32, 2i32] 5i32 } output { [0i32, 2i32] }
-- input { [0i64, 0i64, 1i64] [6i32, 4i32, 2i32] 0i32 } error: division by zero
entry by_index [n] (is: [n]i64) (xs: [n]i32) (m: i32) : [2]i32 =
  reduce_by_index (replicate 2 0) (\x y -> (x + y) % m) 0 is xs

-- An index that is in bounds because of the division.
-- ==
-- entry: wrapped
-- input { [1f64, 2f64, 3f64] [4i64, 5i64] } output { [2f64, 3f64] }
-- input { empty([0]f64) [4i64, 5i64] } error: division by zero
entry wrapped [n] [m] (xs: [n]f64) (is: [m]i64) : [m]f64 = map (\i -> xs[i % n]) is

-- ==
-- entry: wrapped_vjp
-- input { [1f64, 2f64, 3f64] [4i64, 5i64] } output { [0f64, 4f64, 6f64] }
-- input { empty([0]f64) [4i64, 5i64] } error: division by zero
entry wrapped_vjp [n] [m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> xs[i % n] ** 2) is)) xs 1

-- ==
-- entry: power
-- input { [3i32, 2i32] [2i32, 5i32] } output { [9i32, 32i32] }
-- input { [3i32, 2i32] [2i32, -1i32] } error: negative exponent
entry power [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (**) xs ys

-- What decides how long the host goes on.
-- ==
-- entry: on_the_host
-- input { [4i64, 6i64] [2i64, 3i64] [1f64, 2f64] } output { [5f64, 10f64] }
-- input { [4i64, 6i64] [2i64, 0i64] [1f64, 2f64] } error: division by zero
entry on_the_host [n] (as: [n]i64) (bs: [n]i64) (xs: [n]f64) : [n]f64 =
  let trips = i64.sum (map2 (/) as bs)
  in map2 (+) xs (loop xs for _i < trips - 2 do map (* 2) xs)

-- The same for all elements of a row, of which there may be none.
-- ==
-- entry: of_rows
-- input { [7i32, 9i32] [2i32, -3i32] [1i32, 10i32, 5i32] } output { [[4i32, 13i32, 8i32], [-2i32, 7i32, 2i32]] }
-- input { [7i32, 9i32] [2i32, 0i32] empty([0]i32) } output { empty([2][0]i32) }
-- input { [7i32, 9i32] [2i32, 0i32] [1i32] } error: division by zero
entry of_rows [n] [m] (xs: [n]i32) (ds: [n]i32) (ys: [m]i32) : [n][m]i32 = map2 (\x d -> map (\y -> y + x / d) ys) xs ds

-- What is divided may be known not to be negative, by how indices end, or just not.
-- ==
-- entry: of_differences
-- input { 3i64 } output { [1i64, 0i64, 0i64] [0i64, 0i64, -1i64] [0i64, 2i64, 3i64] [-2i64, -1i64, -1i64] [1i64, 0i64, -1i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) }
entry of_differences (n: i64) : ([n]i64, [n]i64, [n]i64, [n]i64, [n]i64) =
  unzip5 (tabulate n (\i -> ((n - 1 - i) / 2, (n - 2 - i) / 2, (2 * n - i - 1) * i / 2, (i - n) / 2, (n - 2 * i) / 2)))

-- Twice the end wraps around, so that differences are negative.
-- ==
-- entry: of_narrow_differences
-- input { 100i8 3i64 } output { [-126i8, 106i8, 82i8] }
entry of_narrow_differences (k: i8) (n: i64) : [n]i8 =
  tabulate n (\j -> loop total = 0 for i < k do total * 3 + (2 * k - i) / 2 + i8.i64 j)
