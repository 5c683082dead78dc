-- Constants that are numbers alone are computed when the program is lowered; all others where they stand.

def value_of_digits [n] (text: [n]u8) : (u64, u64) =
  loop (low, high) = (0, 0) for c in text do
    let sum = low * 10 + u64.u8 (c - '0')
    in (sum % 1000003, high * 10 + sum / 1000003)

def digits = "987654321987654321"
def modulus = value_of_digits digits
def reduced (x: u64) : u64 = (x * 7 + modulus.0) % (modulus.1 %% 1000 + 1)

-- ==
-- entry: from_digits
-- input { [1u64, 5u64] } output { [11u64, 5u64] 577222u64 }
entry from_digits [n] (xs: [n]u64) : ([n]u64, u64) = (map reduced xs, modulus.0)

-- Floats stay, also where they lie beside numbers.
def rates = (loop x = 1.0 for i < 3 do x / f64.i64 (i + 2), loop k = 1i64 for i < 5 do k * (i + 1))

-- ==
-- entry: of_floats
-- input { 2.0 1i64 } output { 0.08333333333333333 121i64 }
entry of_floats (x: f64) (k: i64) : (f64, i64) = (x * rates.0, k + rates.1)

-- Beside an array; and of an array, by functions.
def table = tabulate 4 (\i -> i * i + (loop s = 0i64 for j < 4 do s + j))
def largest = i64.maximum table

-- ==
-- entry: of_arrays
-- input { 2i64 } output { 10i64 15i64 }
entry of_arrays (i: i64) : (i64, i64) = (table[i], largest)

-- Too much to compute now.
def many = loop s = 0i64 for i < 2000000 do (s * 31 + i) %% 1000003
def wide = i64.sum (map (\i -> i %% 7) (iota 2000000)) %% 1000

-- ==
-- entry: of_many_steps
-- input { 1i64 } output { 235197i64 995i64 }
entry of_many_steps (k: i64) : (i64, i64) = (many + k - k, wide)

-- What fails, fails when it runs.
def index : i64 = i64.sum (map (+ 1) (iota 4))
def failing = (tabulate 4 (\i -> i * 2))[index]
def checked = assert (index > 20) (index + 1)

-- ==
-- entry: of_failures
-- input { 1i64 } error: out of bounds
entry of_failures (k: i64) : i64 = k + failing

-- ==
-- entry: of_checks
-- input { 1i64 } error: assertion
entry of_checks (k: i64) : i64 = k + checked

module type field = { type t val one : t val to_i64 : t -> i64 }
module bytes : field = { type t = u8 def one : t = u8.i64 (i64.sum (iota 24)) - 17 def to_i64 (x: t) = i64.u8 x }
module scaled (F: field) = { def largest = F.to_i64 F.one }
module scaled_bytes = scaled bytes
def is_large = scaled_bytes.largest > 1

-- ==
-- entry: of_types
-- input { 3i64 } output { 6i64 true }
entry of_types (k: i64) : (i64, bool) = (k + scaled_bytes.largest, is_large)
