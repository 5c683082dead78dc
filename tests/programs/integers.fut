-- Integer arithmetic: signs in division, shifts, and results that wrap around.

-- ==
-- entry: division
-- input { [7i32, -7i32, 7i32, -7i32] [2i32, 2i32, -2i32, -2i32] }
-- output { [3i32, -4i32, -4i32, 3i32] [1i32, 1i32, -1i32, -1i32] [3i32, -3i32, -3i32, 3i32] [1i32, -1i32, 1i32, -1i32] }
entry division [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

-- ==
-- entry: wrap
-- input { [127i8, -128i8, 100i8] [255u8, 0u8, 200u8] } output { [-128i8, -127i8, 101i8] [254u8, 255u8, 199u8] [127i8, -128i8, -100i8] }
entry wrap [n] (xs: [n]i8) (ys: [n]u8) : ([n]i8, [n]u8, [n]i8) =
  (map (+ 1) xs, map (\y -> y - 1) ys, map (\x -> if x == 127 then x else i8.neg x) xs)

-- What a condition decides keeps its type beside a literal: C++ widens literals to int.
-- ==
-- entry: wrap_chosen
-- input { [127i8, -128i8, 100i8] [255u8, 0u8, 200u8] 3u8 } output { [127i8, -128i8, -56i8] [0u8, 0u8, 200u8] [0u8, 0u8, 64u8] }
entry wrap_chosen [n] (xs: [n]i8) (ys: [n]u8) (limit: u8) : ([n]i8, [n]u8, [n]u8) =
  (map (\x -> x + (if x == 100 then x else 0)) xs,
   map (\y -> y - (if y > 200 then y else 0)) ys,
   map (\y -> y * (if y < limit || y > 200 then 0 else y)) ys)

-- ==
-- entry: shifts
-- input { [-8i32, 5i32] [1i32, 2i32] } output { [-16i32, 20i32] [-4i32, 1i32] [2147483644i32, 1i32] [7i32, -6i32] }
entry shifts [n] (xs: [n]i32) (by: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (<<) xs by, map2 (>>) xs by, map2 (>>>) xs by, map i32.not xs)

entry mixed (a: i64) (b: i32) (c: u16) : (i64, i32, u16, f64) =
  (a * a - i64.i32 b, i32.i64 (a ^ 5) & b, c | 3, f64.i64 a / 2)

-- ==
-- entry: least_chosen
-- input { [3i8, -4i8] [200u8, 7u8] true } output { [3i8, -4i8] [100u8, 7u8] }
-- input { [3i8, -4i8] [200u8, 7u8] false } output { [3i8, 9i8] [100u8, 9u8] }
entry least_chosen [n] (xs: [n]i8) (ys: [n]u8) (c: bool) : ([n]i8, [n]u8) =
  (map (\x -> i8.max x (if c then x else (if x < 0 then 9 else 0))) xs, map (\y -> u8.min 100 (u8.max y (if c then y else 9))) ys)

-- A variable of a loop that nobody reads goes, and what it was computed from, too.
-- ==
-- entry: unread
-- input { 2.5f64 [1u8, 2u8] } output { [1u8, 2u8] }
entry unread [m] (x: f64) (us: [m]u8) : [m]u8 =
  let (last, _) = loop (_, y) = (4i32, x) for _i < 3 do (i32.f64 x, y)
  let low = i64.max 0 (i64.min (i64.i32 last) m)
  let high = i64.max low (i64.min 0 m)
  let _ = us[low:high]
  in us

-- Operators on one of two numbers, which are of 64 bits although both would fit into 32.
-- ==
-- entry: one_of_two
-- input { [true, false] [4i64, 9i64] [1u64, 3u64] }
-- output { [3000000000i64, 3i64] [1000000i64, 1000000000000i64] [9223372036854775807u64, 0u64] [5i64, 9i64] }
entry one_of_two [n] (cs: [n]bool) (xs: [n]i64) (us: [n]u64) : ([n]i64, [n]i64, [n]u64, [n]i64) =
  (map (\c -> (if c then 1000000000 else 1) * 3) cs,
   map (\x -> (if x > 0 then 1000000 else 7) * (if x > 4 then 1000000 else 1)) xs,
   map (\u -> ((if u < 3 then 1 else 4) - 3) / 2) us,
   map2 (\c x -> i64.max x (if x > 4 then (if c then 3 else 5) else (if c then 5 else 8))) cs xs)
