-- Arithmetic of every primitive type: wrap-around, conversions, half precision, extremes.

-- ==
-- entry: wrap
-- input { 127i8 255u8 } output { -128i8 0u8 254u8 -1i8 -1i8 }
entry wrap (x: i8) (y: u8) = (x + 1, y + 1, y << 1, i8.u8 y, 255i8)

-- ==
-- entry: converted
-- input { -1.9f32 300 } output { -1i32 44u8 300f16 -1i64 true 1i8 }
entry converted (x: f32) (y: i32) = (i32.f32 x, u8.i32 y, f16.i32 y, i64.f32 x, bool.i32 y, i8.bool (y > 0))

-- ==
-- entry: halves
-- input { 0.1f16 } output { 0.1999f16 0.01f16 true }
entry halves (x: f16) = (x + x, x * x, f16.(x < sqrt x))

-- ==
-- entry: extremes
-- input { } output { -128i8 65535u16 -f64.inf 2147483647 }
entry extremes = (i8.lowest, u16.highest, f64.lowest, i32.highest)

-- ==
-- entry: not_numbers
-- input { f64.nan 1f64 } output { true 1f64 1f64 false }
entry not_numbers (x: f64) (y: f64) = (f64.isnan (x + y), f64.max x y, f64.min x y, x == x)

-- ==
-- entry: shifts
-- input { -8 1 } output { -4 2147483644 -16 0 }
entry shifts (x: i32) (k: i32) = (x >> k, x >>> k, x << k, x << 40)
