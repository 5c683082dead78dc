-- A negative size is an error of the program only where an array of that size is made.

-- ==
-- entry: in_loop
-- input { [1.0, 2.0] 5i64 2i64 } output { 1.0 }
-- input { [1.0, 2.0] -5i64 0i64 } output { 1.0 }
-- input { [1.0, 2.0] -5i64 1i64 } error: .
entry in_loop [n] (xs: [n]f64) (k: i64) (trips: i64) : f64 =
  loop s = 1 for _i < trips do s * f64.minimum (scan (+) 0 (map (\i -> s + xs[i % n] - s) (iota k)))

-- ==
-- entry: in_branch
-- input { [1.0, 2.0] 3i64 } output { 4.0 }
-- input { [1.0, 2.0] -3000000000i64 } output { 0.0 }
entry in_branch [n] (xs: [n]f64) (k: i64) : f64 =
  if k > 0 then f64.sum (scan (+) 0 (map (\i -> f64.i64 i * xs[0]) (iota k))) else 0

-- Two sizes whose product is positive.
-- ==
-- entry: of_two
-- input { 2i64 2i64 1i64 2.0 } output { 12.0 }
-- input { -3000000i64 -3000000i64 0i64 2.0 } output { 0.0 }
-- input { -3i64 -3i64 1i64 2.0 } error: .
entry of_two (n: i64) (m: i64) (trips: i64) (x: f64) : f64 =
  loop s = 0 for _i < trips do
    s + f64.sum (map f64.sum (map (scan (+) 0) (tabulate_2d n m (\i j -> x + s * f64.i64 (i * j)))))

-- Loops without steps: what bounds their indices, and sizes made of these, is negative.
-- ==
-- entry: sums_of_prefixes
-- input { empty([0]f64) 0i64 } output { 0f64 }
-- input { [1f64] -3i64 } output { 0f64 }
-- input { [1f64, 2f64, 4f64] 3i64 } output { 11f64 }
entry sums_of_prefixes (xs: []f64) (k: i64) : f64 = loop sum = 0 for i < k do sum + f64.sum (map (\x -> x + 0 * sum) xs[:i + 1])

-- ==
-- entry: scans_of_prefixes
-- input { [1f64] -3i64 } output { 0f64 }
-- input { empty([0]f64) 0i64 } output { 0f64 }
-- input { [1f64, 2f64, 4f64] 3i64 } output { 5f64 }
entry scans_of_prefixes [n] (xs: [n]f64) (k: i64) : f64 =
  loop sum = 0 for i < k do
    let before = scan (+) 0 (map (+ 0 * sum) xs[:i64.min i n])
    in sum + f64.sum before
