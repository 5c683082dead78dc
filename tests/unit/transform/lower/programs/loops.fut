-- Loops of all forms.

-- ==
-- entry: power
-- input { 2i32 10i32 } output { 1024i32 }
-- input { 2i32 -1i32 } output { 1i32 }
entry power (x: i32) (n: i32) = loop y = 1 for _i < n do y * x

-- ==
-- entry: fib
-- input { 10i64 } output { 55i32 89i32 }
entry fib (n: i64) = loop (a, b) = (0i32, 1i32) for _i < n do (b, a + b)

-- ==
-- entry: over_elements
-- input { [1i32, 2i32, 3i32] } output { 123i32 }
entry over_elements [n] (xs: [n]i32) = loop y = 0 for x in xs do y * 10 + x

-- ==
-- entry: over_pairs
-- input { [1i32, 2i32] [3i32, 4i32] } output { 11i32 }
entry over_pairs [n] (xs: [n]i32) (ys: [n]i32) = loop s = 0 for (x, y) in zip xs ys do s + x * y

-- ==
-- entry: collatz
-- input { 6i32 } output { 8i32 }
entry collatz (x: i32) =
  let (_, steps) = loop (x, steps) = (x, 0i32) while x != 1 do
    (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)
  in steps

-- ==
-- entry: in_place
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
entry in_place (n: i64) =
  loop xs = replicate n 0i64 for i < n do xs with [i] = i * i

-- ==
-- entry: prefix
-- input { [1i32, 2i32, 3i32] } output { [1i32, 3i32, 6i32] }
entry prefix [n] (xs: *[n]i32) =
  loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]

-- ==
-- entry: swapping
-- input { [1i32] [2i32] 3i32 } output { [5i32] [7i32] }
entry swapping (xs: *[1]i32) (ys: *[1]i32) (n: i32) =
  loop (xs, ys) for i < n do
    let xs[0] = xs[0] + i + 2
    in (ys, xs)

-- ==
-- entry: growing
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
entry growing (n: i64) = loop xs = [] for i < n do xs ++ [i]

-- ==
-- entry: shrinking
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] } output { [5i32] 4i32 }
entry shrinking [n] (xs: [n]i32) =
  let (ys, steps) = loop (ys, steps) = (xs, 0i32) while length ys > 1 do (ys[1:], steps + 1)
  in (ys, steps)

-- ==
-- entry: nested
-- input { 3i32 4i32 } output { 18i32 }
entry nested (n: i32) (m: i32) = loop s = 0 for i < n do loop s for j < m do s + (i ^ j)

-- ==
-- entry: records
-- input { 3i32 } output { 3i32 8.0 }
entry records (n: i32) =
  let r = loop r = {count = 0i32, value = 1.0} for _i < n do {count = r.count + 1, value = r.value * 2}
  in (r.count, r.value)

-- ==
-- entry: small_index
-- input { 5u8 } output { 10u8 }
entry small_index (n: u8) = loop s = 0u8 for i < n do s + i

-- ==
-- entry: iterated
-- input { 5i32 } output { 32i32 64i32 }
entry iterated (n: i32) =
  (iterate n (* 2) 1i32, iterate_while (< 50) (* 2) 1i32)
