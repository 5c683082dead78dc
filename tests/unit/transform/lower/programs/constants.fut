-- Top-level constants, assertions, attributes.

def size : i64 = 3
def table : [size]i64 = map (* 10) (iota size)
def rate = 0.5
def scale (x: f64) = x * rate

-- ==
-- entry: used_in_functions
-- input { 2.0 1i64 } output { 1.0 10i64 30i64 }
entry used_in_functions (x: f64) (i: i64) =
  let f (j: i64) = table[j] + table[j]
  in (scale x, table[i], f 1 + table[i])

-- ==
-- entry: used_in_sizes
-- input { [1i64, 2i64, 3i64] } output { [1i64, 12i64, 23i64] }
entry used_in_sizes (xs: [size]i64) = map2 (+) xs table

def lookup (i: i64) : i64 = loop s = 0 for x in table do s + x * i

-- ==
-- entry: used_in_maps
-- input { [1i64, 2i64] } output { [30i64, 60i64] }
entry used_in_maps [n] (is: [n]i64) = map lookup is

-- ==
-- entry: asserted
-- input { 3i32 } output { 4i32 }
-- input { -3i32 } error: assertion
entry asserted (x: i32) = assert (x > 0) (x + 1)

-- ==
-- entry: unsafely
-- input { [1i32, 2i32] 1i64 } output { 2i32 }
entry unsafely [n] (xs: [n]i32) (i: i64) = #[unsafe] xs[i]

-- ==
-- entry: attributed_loop
-- input { 4i64 } output { 6i64 }
entry attributed_loop (n: i64) = #[stripmine(2)] loop s = 0 for i < n do s + i

-- ==
-- entry: sequential
-- input { [1i32, 2i32] } output { [2i32, 4i32] }
entry sequential [n] (xs: [n]i32) = #[sequential] map (* 2) xs
