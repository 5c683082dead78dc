-- A number that a narrower type cuts off is another one: what is known of the first says nothing of it.

-- ==
-- entry: in_range
-- input { 2i64 } output { [254i64, 254i64, 254i64, 254i64, 254i64] }
entry in_range (step: i64) : [5]i64 =
  let xs = map (* step) (iota 300)
  in map (\i -> xs[i64.i8 (i8.i64 (i * 256 + 127))]) (iota 5)

-- The 128 of these are -128.
-- ==
-- entry: signed_bytes
-- input { 0i64 }
-- input { 1i64 } error: out of bounds
entry signed_bytes (step: i64) : [200]i64 =
  let xs = map (* step) (iota 300)
  in if step <= 0 then replicate 200 step else map (\i -> xs[i64.i8 (i8.i64 i)]) (iota 200)

-- ==
-- entry: bytes
-- input { 1i64 } output { 45i64 }
entry bytes (step: i64) : i64 =
  let xs = map (* step) (iota 10)
  in i64.sum (map (\i -> xs[i64.u8 (u8.i64 (i + 256))]) (iota 10))

-- A size of bytes, and as many steps as the number has.
-- ==
-- entry: sizes
-- input { 200i64 } output { 19900i64 }
-- input { 257i64 } error: out of bounds
entry sizes (n: i64) : i64 =
  let xs = map (+ 0) (iota (i64.u8 (u8.i64 n)))
  in loop s = 0 for i < n do s + xs[i]

-- One less than 0 is the largest of numbers without a sign.
-- ==
-- entry: below_zero
-- input { 3u32 } output { 3i64 }
-- input { 0u32 } error: out of bounds
entry below_zero (n: u32) : i64 =
  let xs = iota (i64.u32 n)
  in loop s = 0 for i < i64.min 5 (i64.u32 (n - 1)) + 1 do s + xs[i]

-- Elements that are all the same, and less than 0: no size, whatever they become. Of i32, and of i64 that fit into an `int`.
entry repeated_negative [n] (xs: [n]i64) (k: i64) : (i64, i64, [n]i64) =
  let ys = replicate n (-4i32)
  let zs = replicate n (i64.max (-3) (i64.min k 5))
  let low = i64.max 0 (i64.min (i64.i32 (if n > 0 then ys[n - 1] else 3)) n)
  let other = i64.max 0 (i64.min (if n > 0 then zs[n - 1] else 3) n)
  in (low, other, map2 (\x z -> x + i64.max 0 z) xs zs)
