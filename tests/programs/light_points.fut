-- Points that are light: threads stride over them, 2048 blocks of 256 at most. Sizes around a block, and beyond what so many threads take at
-- a time; what is stored is used twice, and in other orders, so that it is not computed where it is read.

#[inline]
def value (i: i64) : i64 = i / 3 % 1009 / 2 % 101 / 3

-- ==
-- entry: line
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 255i64 } output { 10549i64 }
-- input { 256i64 } output { 10691i64 }
-- input { 257i64 } output { 10781i64 }
-- input { 524988i64 } output { 139594381i64 }
entry line (n: i64) : i64 =
  let ys = map value (iota n)
  in i64.sum (map (\i -> ys[n - 1 - i] * ys[i * 7 % n]) (iota n))

-- | There are more rows than threads, more columns, or more of both.
-- ==
-- entry: rows
-- input { 0i64 5i64 } output { 0i64 }
-- input { 3i64 0i64 } output { 0i64 }
-- input { 1i64 1i64 } output { 0i64 }
-- input { 257i64 3i64 } output { 22113i64 }
-- input { 20000i64 30i64 } output { 140331508i64 }
-- input { 2000i64 300i64 } output { 160361896i64 }
-- input { 2i64 300000i64 } output { 160234154i64 }
entry rows (n: i64) (m: i64) : i64 =
  let yss = tabulate_2d n m (\i j -> value (i + 2 * j))
  in i64.sum (flatten (tabulate_2d n m (\i j -> yss[n - 1 - i, j] * yss[i, j * 7 % m])))

-- | Neighbouring threads are along the first dimension.
-- ==
-- entry: turned
-- input { 0i64 5i64 } output { 0i64 }
-- input { 3i64 0i64 } output { 0i64 }
-- input { 1i64 1i64 } output { 0i64 }
-- input { 257i64 3i64 } output { 47212734i64 }
-- input { 20000i64 30i64 } output { 42774339201154i64 }
-- input { 2000i64 300i64 } output { 770269837500i64 }
-- input { 2i64 300000i64 } output { 77524648420i64 }
entry turned (n: i64) (m: i64) : i64 =
  let yss = tabulate_2d m n (\j i -> value (j + 2 * i))
  let zss = tabulate_2d n m (\i j -> yss[j, i] * yss[j, n - 1 - i] + i)
  in i64.sum (flatten (tabulate_2d n m (\i j -> zss[n - 1 - i, j] * zss[i, j * 7 % m])))

#[noinline]
def function (i: i64) : i64 = value i

-- | Functions may take long: each point has a thread of its own, as each row has.
-- ==
-- entry: called
-- input { 524988i64 } output { 139594381i64 }
entry called (n: i64) : i64 =
  let ys = map function (iota n)
  in i64.sum (map (\i -> ys[n - 1 - i] * ys[i * 7 % n]) (iota n))

-- ==
-- entry: called_for_rows
-- input { 20000i64 30i64 } output { 3238356i64 }
entry called_for_rows (n: i64) (m: i64) : i64 =
  let yss = tabulate_2d n m (\i j -> function (i + 2 * j))
  in i64.sum (flatten (tabulate_2d n m (\i j -> function (yss[n - 1 - i, j]) * yss[i, j * 7 % m])))

-- | What is scattered to lies where threads have stored the rest.
-- ==
-- entry: filled
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 255i64 } output { 2418i64 }
-- input { 256i64 } output { 2418i64 }
-- input { 257i64 } output { 2627i64 }
-- input { 524988i64 } output { 4885320i64 }
entry filled (n: i64) : i64 =
  let ys = scatter (replicate n 3) (map (\i -> i * i % n) (iota (n / 2))) (replicate (n / 2) 4)
  in i64.sum (map (\i -> ys[n - 1 - i] * (i % 7)) (iota n))

-- | An element that is looked up may not be there: its thread leaves the others that it has.
-- ==
-- entry: checked
-- input { 524988i64 7i64 } output { 20054037010245095i64 }
-- input { 524988i64 16000i64 } error: out of bounds
entry checked (n: i64) (wrong: i64) : i64 =
  let ys = map value (iota n)
  let zs = map (\i -> if ys[ys[n - 1 - i] * wrong] > 5 then 7 + i else i / 2) (iota n)
  in i64.sum (map (\i -> zs[n - 1 - i] * zs[i * 7 % n]) (iota n))
