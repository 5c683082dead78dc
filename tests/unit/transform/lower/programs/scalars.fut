-- Operators, conversions, literals.

-- ==
-- entry: division
-- input { -7i32 2i32 } output { -4i32 1i32 -3i32 -1i32 }
-- input { 7i32 2i32 } output { 3i32 1i32 3i32 1i32 }
entry division (x: i32) (y: i32) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: wraps
-- input { 200u8 100u8 } output { 44u8 100u8 }
entry wraps (x: u8) (y: u8) = (x + y, x - y)

-- ==
-- entry: compare
-- input { 1.0 2.0 } output { true true false false false true }
entry compare (x: f64) (y: f64) = (x < y, x <= y, x > y, x >= y, x == y, x != y)

-- ==
-- entry: converted
-- input { 2.75 -3i32 } output { 2i32 -3.0f32 253u8 }
entry converted (x: f64) (y: i32) = (i32.f64 x, f32.i32 y, u8.i32 y)

-- ==
-- entry: functions
-- input { 4.0 } output { 2.0 -4.0 8.0 }
entry functions (x: f64) = (f64.sqrt x, f64.neg x, x ** 1.5)

-- ==
-- entry: short_circuit
-- input { 0i32 } output { false true }
-- input { 4i32 } output { true false }
entry short_circuit (x: i32) = (x != 0 && 8 / x == 2, x == 0 || 8 / x == 1)

-- ==
-- entry: bits
-- input { 12i32 10i32 } output { 8i32 14i32 6i32 48i32 3i32 }
entry bits (x: i32) (y: i32) = (x & y, x | y, x ^ y, x << 2, x >> 2)

-- ==
-- entry: text
-- input { } output { [104u8, 105u8] 97i32 }
entry text = ("hi", 'a')

-- ==
-- entry: divide
-- input { 1i32 0i32 } error: division
entry divide (x: i32) (y: i32) = x / y
