-- Loops that end when a condition says so.

def halvings (x: f64) : i32 = (loop (y, count) = (x, 0) while y > 1 && count < 100 do (y / 2, count + 1)).1

-- ==
-- entry: count
-- input { [1f64, 8f64, 9f64, -1f64] } output { [0i32, 3i32, 4i32, 0i32] }
-- input { empty([0]f64) } output { empty([0]i32) }
entry count [n] (xs: [n]f64) : [n]i32 = map halvings xs

-- ==
-- entry: gcd
-- input { 12i32 18i32 } output { 6i32 }
-- input { 5i32 0i32 } output { 5i32 }
entry gcd (a: i32) (b: i32) : i32 = (loop (a, b) = (a, b) while b != 0 do (b, a % b)).0

def newton (a: f64) : f64 = (loop (x, i) = (a, 0i32) while i < 6 do (0.5 * (x + a / x), i + 1)).0

entry root_jvp (a: f64) (a_tan: f64) : f64 = jvp newton (1 + a * a) a_tan
