-- Bits of integers and floats.

-- ==
-- entry: counts
-- input { [0i32, 1i32, 80i32, -1i32] }
-- output { [0i32, 1i32, 2i32, 32i32] [32i32, 31i32, 25i32, 0i32] [32i32, 0i32, 4i32, 0i32] }
entry counts [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) = (map i32.popc xs, map i32.clz xs, map i32.ctz xs)

-- ==
-- entry: narrow_counts
-- input { [0u8, 1u8, 80u8, 255u8] }
-- output { [0i32, 1i32, 2i32, 8i32] [8i32, 7i32, 1i32, 0i32] [8i32, 0i32, 4i32, 0i32] }
entry narrow_counts [n] (xs: [n]u8) : ([n]i32, [n]i32, [n]i32) = (map u8.popc xs, map u8.clz xs, map u8.ctz xs)

-- ==
-- entry: high_halves
-- input { [-128i8, -1i8, 1i8, 100i8] [127i8, -3i8, 2i8, 55i8] }
-- output { [-64i8, 0i8, 0i8, 21i8] [64i8, -1i8, 1i8, 121i8] }
entry high_halves [n] (xs: [n]i8) (ys: [n]i8) : ([n]i8, [n]i8) = (map2 i8.mul_hi xs ys, map3 i8.mad_hi xs ys xs)

-- ==
-- entry: wide_high_halves
-- input { [18446744073709551615u64, 9223372036854775808u64, 12345678901234567890u64] [18446744073709551615u64, 3u64, 9876543210987654321u64] [-9223372036854775808i64, 4611686018427387904i64, -1i64] [-9223372036854775808i64, 5i64, 7i64] }
-- output { [18446744073709551614u64, 1u64, 6609981178781634653u64] [4611686018427387904i64, 1i64, -1i64] }
entry wide_high_halves [n] (xs: [n]u64) (ys: [n]u64) (us: [n]i64) (vs: [n]i64) : ([n]u64, [n]i64) =
  (map2 u64.mul_hi xs ys, map2 i64.mul_hi us vs)

-- Shifts by the width or more, and by negative numbers, shift everything out.
-- ==
-- entry: shifts_by_any_amount
-- input { [-8i32, -8i32, -8i32, -8i32] [1i32, 31i32, 32i32, -1i32] }
-- output { [-16i32, 0i32, 0i32, 0i32] [-4i32, -1i32, -1i32, -1i32] [2147483644i32, 1i32, 0i32, 0i32] }
entry shifts_by_any_amount [n] (xs: [n]i32) (by: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  (map2 (<<) xs by, map2 (>>) xs by, map2 (>>>) xs by)

-- ==
-- entry: single_bits
-- input { 5i16 } output { 1i32 0i32 7i16 4i16 5i16 }
entry single_bits (x: i16) : (i32, i32, i16, i16, i16) =
  (i16.get_bit 0 x, i16.get_bit 1 x, i16.set_bit 1 x 1, i16.set_bit 0 x 0, i16.set_bit 15 (i16.set_bit 15 x 1) 0)

-- ==
-- entry: of_floats
-- input { [1.0f32, -0.0f32] [1.5, -2.0] }
-- output { [1065353216u32, 2147483648u32]
--          [4609434218613702656u64, 13835058055282163712u64] [1.5, -2.0] [0i32, 1i32] [-1.5, 2.0] }
entry of_floats [n] (xs: [n]f32) (ys: [n]f64) : ([n]u32, [n]u64, [n]f64, [n]i32, [n]f64) =
  (map f32.to_bits xs, map f64.to_bits ys, map (f64.to_bits >-> f64.from_bits) ys, map (f64.get_bit 63) ys,
   map (\y -> f64.set_bit 63 y (1 - f64.get_bit 63 y)) ys)

-- ==
-- entry: neighbours
-- input { [1.0, -1.0, 0.0] [2.0, 2.0, -1.0] } output { [1.0000000000000002, -0.9999999999999999, -5e-324] [true, true, true] }
entry neighbours [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]bool) =
  let zs = map2 f64.nextafter xs ys
  in (zs, map2 (\x z -> x != z && f64.abs (x - z) <= f64.epsilon) xs zs)
