-- Conversions between primitive types.

-- Unsigned types take a narrower signed number by its bits.
-- ==
-- entry: to_unsigned
-- input { [-1i8, 5i8] } output { [255u8, 5u8] [255u16, 5u16] [255u32, 5u32] [255u64, 5u64] }
entry to_unsigned [n] (xs: [n]i8) : ([n]u8, [n]u16, [n]u32, [n]u64) =
  (map u8.i8 xs, map u16.i8 xs, map u32.i8 xs, map u64.i8 xs)

-- ==
-- entry: to_signed
-- input { [-1i8, 5i8] [200u8, 5u8] } output { [-1i16, 5i16] [-1i64, 5i64] [-56i8, 5i8] [200i16, 5i16] [200i64, 5i64] }
entry to_signed [n] (xs: [n]i8) (ys: [n]u8) : ([n]i16, [n]i64, [n]i8, [n]i16, [n]i64) =
  (map i16.i8 xs, map i64.i8 xs, map i8.u8 ys, map i16.u8 ys, map i64.u8 ys)

-- ==
-- entry: narrowed
-- input { [65537i64, -2147483649i64] } output { [1i8, -1i8] [1u16, 65535u16] [65537i32, 2147483647i32] }
entry narrowed [n] (xs: [n]i64) : ([n]i8, [n]u16, [n]i32) = (map i8.i64 xs, map u16.i64 xs, map i32.i64 xs)

-- Towards zero; what is no number becomes 0, and for i32 what is too large the largest number.
-- ==
-- entry: from_floats
-- input { [2.9, -2.9, f64.nan, f64.inf, 1e12, -3e9] }
-- output { [2i32, -2i32, 0i32, 0i32, 2147483647i32, -2147483648i32]
--          [2i64, -2i64, 0i64, 0i64, 1000000000000i64, -3000000000i64] [true, true, true, true, true, true] }
entry from_floats [n] (xs: [n]f64) : ([n]i32, [n]i64, [n]bool) = (map i32.f64 xs, map i64.f64 xs, map bool.f64 xs)

-- ==
-- entry: to_floats
-- input { [16777217i32, -3i32] [18446744073709551615u64, 7u64] } output { [16777216f32, -3f32] [16777217f64, -3f64] [18446744073709551616f64, 7f64] }
entry to_floats [n] (xs: [n]i32) (ys: [n]u64) : ([n]f32, [n]f64, [n]f64) =
  (map f32.i32 xs, map f64.i32 xs, map f64.u64 ys)

-- ==
-- entry: truth
-- input { [0i32, -3i32] [true, false] } output { [false, true] [1i64, 0i64] [1f32, 0f32] }
entry truth [n] (xs: [n]i32) (ys: [n]bool) : ([n]bool, [n]i64, [n]f32) =
  (map bool.i32 xs, map i64.bool ys, map f32.bool ys)
