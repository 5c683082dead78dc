-- Every form of literal.

-- ==
-- entry: integers
-- input { } output { 255 10 1000000 7i8 255u8 -1i16 18446744073709551615u64 }
entry integers = (0xff, 0b1010, 1_000_000, 7i8, 255u8, -1i16, 0xffff_ffff_ffff_ffffu64)

-- ==
-- entry: floats
-- input { } output { 1.5 0.001 1000f32 2.0 0.5f32 3f64 1.5f16 }
entry floats = (1.5, 1e-3, 1e3f32, 0x1.0p1, 0.5f32, 3f64, 1.5f16)

-- ==
-- entry: texts
-- input { } output { "ab\"c" 97u8 10u8 }
entry texts = ("ab\"c", 'a' : u8, '\n' : u8)
