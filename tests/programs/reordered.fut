-- Maps whose points run in the order of a key, `#[reorder(key)]`: what they yield does not tell, and neither do derivatives.

-- | A key that may be negative, or equal for several points.
def shifted [n] (keys: [n]i32) (xs: [n]f64) : [n]f64 =
  #[reorder(key)] map2 (\k x -> let key = k * 3 - 4 in x * f64.i32 key) keys xs

-- ==
-- entry: by_variable
-- input { [2i32, -1i32, 2i32, 0i32, -2147483648i32, 2i32] [1f64, 2f64, 3f64, 4f64, 0f64, 6f64] } output { [2f64, -14f64, 6f64, -16f64, 0f64, 12f64] }
-- input { [1i32] [2f64] } output { [-2f64] }
-- input { empty([0]i32) empty([0]f64) } output { empty([0]f64) }
entry by_variable [n] (keys: [n]i32) (xs: [n]f64) : [n]f64 = shifted keys xs

-- ==
-- entry: adjoints
-- input { [2i32, -1i32, 2i32, 0i32, 1i32] [1f64, 2f64, 3f64, 4f64, 5f64] } output { [2f64, -14f64, 6f64, -16f64, -5f64] }
-- input { empty([0]i32) empty([0]f64) } output { empty([0]f64) }
entry adjoints [n] (keys: [n]i32) (seeds: [n]f64) : [n]f64 = vjp (shifted keys) (replicate n 1) seeds

-- ==
-- entry: tangents
-- input { [2i32, -1i32, 2i32, 0i32, 1i32] [1f64, 2f64, 3f64, 4f64, 5f64] } output { [2f64, -14f64, 6f64, -16f64, -5f64] }
entry tangents [n] (keys: [n]i32) (seeds: [n]f64) : [n]f64 = jvp (shifted keys) (replicate n 1) seeds

-- | Keys of all types: the places where points come show in the order of what they add, which only an inexact sum tells. So the sums are
-- exact, and this is about the conversions of keys that sorting needs.
-- ==
-- entry: by_i64
-- input { [5i64, -9223372036854775808i64, 9223372036854775807i64, 4294967296i64, -1i64, 5i64] } output { [10i64, 0i64, -2i64, 8589934592i64, -2i64, 10i64] }
entry by_i64 [n] (keys: [n]i64) : [n]i64 = #[reorder(keys)] map (+ 0) (#[reorder(keys)] map (* 2) keys)

-- ==
-- entry: by_u64
-- input { [5u64, 9223372036854775808u64, 18446744073709551615u64, 0u64] } output { [6u64, 9223372036854775809u64, 0u64, 1u64] }
entry by_u64 [n] (keys: [n]u64) : [n]u64 = #[reorder(key)] map (\key -> key + 1) keys

-- ==
-- entry: by_i8
-- input { [5i8, -128i8, 127i8, -1i8, 5i8] } output { [25i32, 16384i32, 16129i32, 1i32, 25i32] }
entry by_i8 [n] (keys: [n]i8) : [n]i32 = #[reorder(key)] map (\x -> let key = x in i32.i8 key * i32.i8 key) keys

-- ==
-- entry: by_u16
-- input { [5u16, 65535u16, 0u16] } output { [6u32, 65536u32, 1u32] }
entry by_u16 [n] (keys: [n]u16) : [n]u32 = #[reorder(keys)] map (\key -> u32.u16 key + 1) keys

-- | Rows, of which the map of points makes new ones in place, two results, and a free scalar.
def rows [n] [m] (s: f64) (xss: [n][m]f64) : ([n][m]f64, [n]f64) =
  unzip (#[reorder(key)] map (\xs -> let key = i32.f64 xs[0] let ys = map (* s) xs in (ys with [0] = xs[1] * xs[1], f64.sum xs * s)) xss)

-- ==
-- entry: of_rows
-- input { 2f64 [[3f64, 1f64, 2f64], [-1f64, 2f64, 0f64], [1f64, 0f64, 5f64]] }
-- output { [[1f64, 2f64, 4f64], [4f64, 4f64, 0f64], [0f64, 0f64, 10f64]] [12f64, 2f64, 12f64] }
entry of_rows [n] [m] (s: f64) (xss: [n][m]f64) : ([n][m]f64, [n]f64) = rows s xss

-- ==
-- entry: adjoints_of_rows
-- input { 2f64 [[3f64, 1f64, 2f64], [-1f64, 2f64, 0f64], [1f64, 0f64, 5f64]] [1f64, 2f64, 3f64] }
-- output { 48f64 [[2f64, 6f64, 4f64], [4f64, 16f64, 8f64], [6f64, 12f64, 12f64]] }
entry adjoints_of_rows [n] [m] (s: f64) (xss: [n][m]f64) (seeds: [n]f64) : (f64, [n][m]f64) =
  vjp (\(s, xss) -> rows s xss) (s, xss) (map (\seed -> replicate m seed) seeds, seeds)

-- | A map of numbers, over whose elements another goes in the same order, in a loop; its sum comes in the order of the program.
-- ==
-- entry: in_loop
-- input { 3i64 [4i64, 1i64, 3i64, 0i64, 2i64] } output { 175i64 }
-- input { 0i64 [4i64, 1i64] } output { 0i64 }
entry in_loop [n] (steps: i64) (keys: [n]i64) : i64 =
  loop total = 0 for s < steps do
    let xs = #[reorder(keys)] tabulate n (\i -> (i + s) * keys[i])
    in total + i64.sum (#[reorder(keys)] map (\x -> x - total) xs)

-- | In a thread the attribute says nothing.
-- ==
-- entry: in_thread
-- input { [[3f64, 1f64, 2f64], [-1f64, 2f64, 0f64]] } output { [14f64, 5f64] }
entry in_thread [n] [m] (xss: [n][m]f64) : [n]f64 = map (\xs -> f64.sum (#[reorder(key)] map (\x -> let key = i64.f64 x in x * x) xs)) xss

-- | Second derivatives of a table's entries, which points pick by their keys.
def picked [n] [m] (table: [n]f64) (keys: [m]i64) : f64 =
  f64.sum (#[reorder(key)] map (\k -> let key = i64.abs k % n in table[key] * table[key] * f64.i64 k) keys)

-- ==
-- entry: second
-- input { [1f64, 2f64, 3f64] [4i64, -4i64, 2i64, 3i64, 7i64, 2i64] [1f64, 10f64, 100f64] } output { [6f64, 140f64, 800f64] }
entry second [n] [m] (table: [n]f64) (keys: [m]i64) (directions: [n]f64) : [n]f64 =
  jvp (\table -> vjp (\table -> picked table keys) table 1) table directions

-- | The map's function may be made of others.
def sorted_map 'a 'b [n] (f: a -> b) (key: a -> i64) (xs: [n]a) : [n]b = #[reorder(k)] map (\x -> let k = key x in f x) xs

-- ==
-- entry: higher
-- input { [3f64, 1f64, -2f64] } output { [9f64, 1f64, 4f64] [4i64, 2i64, -1i64] }
entry higher [n] (xs: [n]f64) = (sorted_map (\x -> x * x) (\x -> -i64.f64 x) xs, sorted_map (\(x, i) -> i64.f64 x + i) (\(_, i) -> i) (zip xs (replicate n 1)))

type shape = #circle f64 | #square f64 f64

-- | Points that are values of a sum type, results that are records, a key that needs a local function.
-- ==
-- entry: sums
-- input { [3f64, 1f64, -2f64] } output { [9f64, 1f64, 4f64] [1f64, 0f64, -1f64] }
entry sums [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  let shapes = map (\x -> if x > 0 then #circle x else (#square x x : shape)) xs
  let ys = #[reorder(key)] map (\s -> let area (s: shape) = match s case #circle r -> r * r case #square a b -> a * b
                                      let key = i32.f64 (area s)
                                      in {area = area s, name = if key > 5 then 1 else if key > 3 then -1 else 0f64}) shapes
  in (map (.area) ys, map (.name) ys)

-- | What only the result needs is not computed for the key; what the key needs may be of any size.
-- ==
-- entry: ragged
-- input { [[3f64, 1f64, -2f64], [-1f64, 4f64, 1f64], [-3f64, -3f64, -3f64]] } output { [2f64, -1f64, -9f64] [2i64, 2i64, 0i64] }
entry ragged [n] [m] (xss: [n][m]f64) =
  unzip (#[reorder(count)] map (\xs ->
    let big = filter (> 0) xs
    let squares = map (\x -> x * x) big
    let (count, others) = #[unsafe] (length squares, m)
    let total = assert (others > 0) (f64.sum xs)
    in (if total > 2 then -1 else total, count)) xss)

-- | Keys that change with the steps of a loop, both sweeps of which sort by them.
-- ==
-- entry: while_loop
-- input { [3f64, 1f64, -2f64] } output { [24f64, 8f64, -16f64] }
entry while_loop [n] (xs: [n]f64) : [n]f64 = vjp (\xs -> (loop (ys, i) = (xs, 0i32) while i < 3 do (#[reorder(k)] map (\y -> let k = i32.f64 y in y * 2) ys, i + 1)).0) xs xs

-- | As many points as the data tell.
-- ==
-- entry: late
-- input { [3f64, 1f64, -2f64, 5f64] } output { [10f64, 2f64, 6f64] }
entry late [n] (xs: [n]f64) = let ys = filter (> 0) xs in reverse (#[reorder(k)] map (\y -> let k = -i32.f64 y in y * 2) ys)

-- | In one branch only.
-- ==
-- entry: branches
-- input { true [3f64, 1f64, -2f64] } output { [6f64, 2f64, -4f64] }
-- input { false [3f64, 1f64, -2f64] } output { [3f64, 1f64, -2f64] }
entry branches [n] (b: bool) (xs: [n]f64) : [n]f64 = vjp (\xs -> if b then #[reorder(k)] map (\x -> let k = i32.f64 x in x + x) xs else xs) xs xs

-- | Keys from around a function that is differentiated, or that another one gets.
-- ==
-- entry: keys_from_outside
-- input { [2i64, -1i64, 2i64, 0i64] [1f64, 2f64, 3f64, 4f64] } output { [2f64, 8f64, 18f64, 32f64] [1f64, 16f64, 81f64, 256f64] }
entry keys_from_outside [n] (keys: [n]i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  let twice f xs = f (f xs)
  in (vjp (\xs -> #[reorder(keys)] map (\x -> x * x) xs) xs xs, twice (\xs -> #[reorder(keys)] map (\x -> x * x) xs) xs)
