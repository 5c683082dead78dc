-- Loops: for, for-in over arrays of records, while, several values, shapes that change, updates in place.

-- ==
-- entry: counted
-- input { 5 } output { 10 120 }
entry counted (n: i32) =
  loop (s, p) = (0, 1) for i < n do (s + i, p * (i + 1))

-- ==
-- entry: over_elements
-- input { [1, 2, 3] [4, 5, 6] } output { 32 }
entry over_elements [n] (xs: [n]i32) (ys: [n]i32) =
  loop sum = 0 for (x, y) in zip xs ys do sum + x * y

-- ==
-- entry: until
-- input { 27 } output { 111 }
entry until (start: i32) =
  (loop {n, steps} = {n = start, steps = 0i32} while n != 1 do
     {n = if n % 2 == 0 then n / 2 else 3 * n + 1, steps = steps + 1}).steps

-- ==
-- entry: growing
-- input { 3 } output { [1, 1, 1, 1, 1, 1, 1, 1] 8i64 }
entry growing (n: i32) =
  let ones = loop xs = [1i32] for _i < n do xs ++ xs
  in (ones, length ones)

-- ==
-- entry: in_place
-- input { 6i64 } output { [0i64, 1i64, 1i64, 2i64, 3i64, 5i64] }
entry in_place (n: i64) : []i64 =
  let fibs = replicate n 0
  let fibs[1] = 1
  in loop fibs for i in 2..<n do
       let fibs[i] = fibs[i - 1] + fibs[i - 2]
       in fibs

-- ==
-- entry: without_initial
-- input { 4i64 10i64 } output { 40i64 }
entry without_initial (x: i64) (y: i64) =
  (loop (x, y) for _i < 3i64 do (x + x - x, if y > 0 then y else 0)) |> \(a, b) -> a * b

-- ==
-- entry: said_to_be_unique
-- input { [3, 1, 2] 2i64 } output { 3 [8, 9] [3, 1, 2] }
-- input { [3, 1, 2] 0i64 } output { 0 [3, 1, 2] [3, 1, 2] }
entry said_to_be_unique [m] (xs: [m]i32) (n: i64) =
  let (total, rest) = loop (total, rest: *[]i32) = (0, xs) for i < n do
    let next = map2 (+) rest (rotate 1 rest)
    in (total + rest[0], if i % 2 == 0 then next else tail next ++ [])
  in (total % 4, take (if n == 0 then 3 else 2) rest, xs)
