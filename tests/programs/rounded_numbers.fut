-- Conversions between integers and floats at the ends of their ranges, and numbers at the ends of theirs in derivatives.

-- ==
-- entry: big
-- input { 9223372036854775807i64 } output { 9223372036854775807i64 }
-- input { -5i64 } output { 0i64 }
entry big (n: i64): i64 = i64.f64 (f64.i64 (i64.max 0 n))
-- ==
-- entry: upper
-- input { 9223372036854775807i64 } output { 9223372036854775807i64 }
entry upper (n: i64): i64 = i64.f64 (f64.ceil (f64.i64 (i64.max 0 n)))
-- ==
-- entry: root
-- input { 9223372036854775807i64 } output { 3037000500i64 }
-- input { 10i64 } output { 4i64 }
-- input { -10i64 } output { 0i64 }
entry root (n: i64): i64 = i64.f64 (f64.ceil (f64.sqrt (f64.i64 (i64.max 0 n))))
-- ==
-- entry: unsigned
-- input { true } output { 9223372036854775807i64 }
entry unsigned (b: bool): i64 = i64.f64 (f64.u64 (if b then 18446744073709551615u64 else 18446744073709551614u64))
-- ==
-- entry: large
-- input { [1e-10f32, 0.0f32] } output { [6e28f32, 0.0f32] }
entry large [n] (xs: [n]f32): [n]f32 = vjp (\xs -> f32.sum (map (\x -> 3.0e38 * x * x) xs)) xs 1

-- | Loops whose number of steps is the least that a type has go back over none.
-- ==
-- entry: least_steps
-- input { 2147483648i64 2.0 } output { 1.0 }
-- input { 3i64 2.0 } output { 256.0 }
entry least_steps (n: i64) (x: f64) : f64 =
  vjp (\x -> loop y = x for _i < i64.i32 (i32.i64 (i64.max 0 n)) do y * y) x 1.0
  * (if n == 3 then 0.25 else 1.0)
