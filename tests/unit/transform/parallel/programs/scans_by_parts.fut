-- Scans that one nest reads: flatten/scans_by_parts.hpp; what the threads of a block scan together: facts/part_scans.hpp.

def numbers (n: i64) : [n]i64 = opaque (map (\i -> 2 * ((i * i + 3 * i) % 17) - 15) (iota n))

-- nests: grid 1 store store, grid 1 scan, grid 1 store
-- parts: all and all from end, none, before and before from end
-- input [3i64,-5i64,7i64]
-- input empty([0]i64)
entry before_and_behind [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (*) 1 (reverse xs)
  in #[unsafe] map (\i -> (if i == 0 then 1 else before[i - 1]) + 2 * (if n - 1 - i == 0 then 1 else behind[n - 1 - i - 1])) (iota n)

-- Two whole parts, and some more; a part and its last element, or one more.
-- nests: grid 1 store, grid 1 store store, grid 1 scan, grid 1 store
-- parts: none, all and all from end, none, before and before from end
-- input 5000i64
-- input 2304i64
-- input 2305i64
-- input 1i64
entry several_parts (n: i64) : [n]i64 =
  let xs = numbers n
  let before = scan (*) 1 xs
  let behind = scan (*) 1 (reverse xs)
  in #[unsafe] map (\i -> (if i == 0 then 1 else before[i - 1]) + 2 * (if n - 1 - i == 0 then 1 else behind[n - 1 - i - 1])) (iota n)

-- nests: grid 1 store, grid 1 store store, grid 1 scan, grid 1 store
-- parts: none, all and all from end, none, up to and up to from end
-- input 4700i64
entry own_elements (n: i64) : [n]i64 =
  let xs = numbers n
  in map2 (\s t -> s * 3 + t) (scan (+) 0 xs) (reverse (scan (*) 1 (reverse xs)))

-- Two of one nest; a third one, which somebody else needs, is not left behind.
-- nests: grid 1 store store store, grid 1 scan, grid 1 store
-- parts: all and all, none, before and before
-- input 4700i64
entry forwards (n: i64) : [n]i64 =
  let xs = numbers n
  let before = scan (*) 1 xs
  let (_, ends) = unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs xs))
  in #[unsafe] map (\i -> (if i == 0 then 1 else before[i - 1]) + (if i == 0 then 5 else ends[i - 1])) (iota n)

-- nests: grid 1 scan scan scan, grid 1 store
-- parts: none, none
-- input 4700i64
entry third (n: i64) : ([n]i64, [n]i64) =
  let xs = numbers n
  let before = scan (*) 1 xs
  let ends = scan i64.max i64.lowest xs
  let totals = scan (+) 0 xs
  in #[unsafe] (map (\i -> (if i == 0 then 1 else before[i - 1]) + (if i == 0 then 5 else ends[i - 1])) (iota n), totals)

-- An operator that does not commute, on pairs; a condition that is not about the first element.
-- nests: grid 1 store store, grid 1 store store store store, grid 1 scan, grid 1 store
-- parts: none, all and all from end, none, before and up to from end
-- input 3000i64
entry pairs (n: i64) : [n]i64 =
  let xs = numbers n
  let compose (a, b) (c, d) = (a * c, b * c + d)
  let (_, b) = unzip (scan compose (1, 0) (zip xs (map (+ 1) xs)))
  let (_, d) = unzip (scan compose (1, 0) (zip (reverse xs) (map (+ 2) (reverse xs))))
  in #[unsafe] map (\i -> (if i == 1 then 5 else if i == 0 then 0 else b[i - 1]) + d[n - 1 - i]) (iota n)

-- What others need besides is stored, in the order in which they see it.
-- nests: grid 1 store, grid 1 store store store, grid 1 scan, grid 1 store store store store
-- parts: none, all and all from end and all from end, none, up to and up to from end and up to from end
-- input 2500i64
entry kept (n: i64) : ([n]i64, [n]i64, [n]i64, [n]i64, [n]i64) =
  let xs = numbers n
  let forwards = scan (*) 1 xs
  let backwards = reverse (scan (\x y -> x * y + x + y) 0 (reverse xs))
  let from_end = scan (+) 0 (reverse xs)
  in (map3 (\a b c -> a + 2 * b + 4 * c) forwards backwards (reverse from_end), forwards, backwards, from_end, reverse from_end)

-- nests: grid 1 store, grid 1 store store, grid 1 scan, grid 1 scatter
-- parts: none, all and all from end, none, up to and up to from end
-- input 2400i64
entry to_places (n: i64) : [n]i64 =
  let xs = numbers n
  let before = scan (+) 0 xs
  let behind = reverse (scan (*) 1 (reverse xs))
  in scatter (replicate n 0) (map (\i -> n - 1 - i) (iota n)) (map2 (\a b -> a + 2 * b) before behind)

-- One scan alone is CUB's, and so are few elements.
-- nests: grid 1 scan, grid 1 store
-- parts: none, none
-- input [3i64,-5i64,7i64]
entry one [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  in #[unsafe] map (\i -> if i == 0 then 1 else before[i - 1]) (iota n)

-- nests: grid 1 scan, grid 1 scan+2
entry few (xs: [9000]i64) : [9000]i64 =
  map2 (+) (scan (*) 1 xs) (reverse (scan (+) 0 (reverse xs)))

-- nests: grid 1 store store, grid 1 scan, grid 1 store
entry not_few (xs: [9216]i64) : [9216]i64 =
  map2 (+) (scan (*) 1 xs) (reverse (scan (+) 0 (reverse xs)))

-- A scan that is read at two elements, or at others.
-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry two_elements [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> (if i == 0 then 1 else before[i - 1]) + before[i] + behind[n - 1 - i]) (iota n)

-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry two_before [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> (if i < 2 then 1 else before[i - 2]) + behind[n - 1 - i]) (iota n)

-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64] [2i64,0i64,2i64]
entry at_places [n] (xs: [n]i64) (is: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> before[is[i]] + behind[n - 1 - i]) (iota n)

-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry from_both_ends [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> before[i] + before[n - 1 - i] + behind[n - 1 - i]) (iota n)

-- What comes before an element is stored nowhere, and somebody needs it.
-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry needed_and_not_stored [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] (map (\i -> (if i == 0 then 1 else before[i - 1]) + behind[n - 1 - i]) (iota n), before)

-- nests: grid 1 scan, grid 1 reduce, grid 1 scan+4
-- input [3i64,-5i64,7i64]
entry needed_before [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = reverse (scan (+) 0 (reverse xs))
  let total = opaque (i64.sum before)
  in map2 (\a b -> a + b * total) before behind

-- Much is read for each value.
-- nests: grid 1 scan, grid 1 scan+2
-- input [3i64,-5i64] [1i64,2i64] [4i64,5i64] [3i64,3i64] [1i64,9i64] [4i64,5i64]
entry many_arrays [n] (as: [n]i64) (bs: [n]i64) (cs: [n]i64) (ds: [n]i64) (es: [n]i64) (fs: [n]i64) : [n]i64 =
  let f x y z = x * y + z
  in map2 (+) (scan (*) 1 (map3 f as bs cs)) (reverse (scan (+) 0 (reverse (map3 f ds es fs))))

-- Values of 24 bytes, for which parts are smaller; of 96, for which there is no room.
-- nests: grid 1 store, grid 1 store store store store store store, grid 1 scan, grid 1 store
-- parts: none, all and all from end, none, up to and up to from end
-- input 1400i64
entry three_components (n: i64) : [n]i32 =
  let xs = opaque (map i32.i64 (numbers n))
  let op (a: i32, b: i32, c: i32) (d, e, f) = (a + d, b * e, i32.max c f)
  let (a, b, c) = unzip3 (scan op (0, 1, i32.lowest) (zip3 xs xs xs))
  let (d, e, f) = unzip3 (scan op (0, 1, i32.lowest) (zip3 (reverse xs) (reverse xs) (reverse xs)))
  in #[unsafe] map (\i -> a[i] + b[i] + c[i] + d[n - 1 - i] + e[n - 1 - i] + f[n - 1 - i]) (iota n)

-- nests: grid 1 scan, grid 1 scan+18
-- input [3i64,-5i64,7i64]
entry six_components [n] (xs: [n]i64) : [n]i64 =
  let op (a: i64, b: i64, c: i64, d: i64, e: i64, f: i64) (g, h, i, j, k, l) = (a + g, b * h, i64.max c i, i64.min d j, e ^ k, f | l)
  let start = (0, 1, i64.lowest, i64.highest, 0, 0)
  let same x = (x, x, x, x, x, x)
  let forwards = scan op start (map same xs)
  let backwards = scan op start (map same (reverse xs))
  in #[unsafe] map (\i -> let (a, b, c, d, e, f) = forwards[i] let (g, h, j, k, l, m) = backwards[n - 1 - i] in a + b + c + d + e + f + g + h + j + k + l + m) (iota n)

-- A summand that may fail stands where it stood.
-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64] 0i64
-- failing input [3i64,-5i64,7i64] 1i64
entry may_fail [n] (xs: [n]i64) (more: i64) : [n]i64 =
  let before = scan (*) 1 (map (\i -> xs[i + more]) (iota n))
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> (if i == 0 then 1 else before[i - 1]) + (if i == n - 1 then 2 else behind[n - 2 - i])) (iota n)

-- What the scans read is written to before the nest that reads them.
-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry overwritten [n] (xs: *[n]i64) : ([n]i64, [n]i64) =
  let before = scan (*) 1 xs
  let behind = reverse (scan (+) 0 (reverse xs))
  let next = xs with [n - 1] = 100
  let last = #[unsafe] opaque next[n - 1]
  in (map2 (\a b -> a + b * last) before behind, next)

-- nests: grid 1 scan, grid 1 scan, grid 1 store
-- input [3i64,-5i64,7i64]
entry loops [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] map (\i -> loop s = if i == 0 then 1 else before[i - 1] for _j < i do s * 3 + behind[n - 1 - i]) (iota n)

-- Each is read by another nest.
-- nests: grid 1 scan, grid 1 scan, grid 1 store, grid 1 reduce
-- input [3i64,-5i64,7i64]
entry one_each [n] (xs: [n]i64) : ([n]i64, i64) =
  let before = scan (*) 1 xs
  let behind = scan (+) 0 (reverse xs)
  in #[unsafe] (map (\i -> if i == 0 then 1 else before[i - 1]) (iota n), i64.sum (map (\i -> behind[i] ** 2) (iota n)))

-- What stands for a prefix at another point than the first is no prefix.
-- nests: grid 1 store store, grid 1 scan, grid 1 store
-- parts: all and all from end, none, before and before from end
-- input [3i64,-5i64,7i64,2i64,9i64]
entry other_points [n] (xs: [n]i64) : [n]i64 =
  let before = scan (*) 1 xs
  let behind = scan (*) 1 (reverse xs)
  in #[unsafe] map (\i -> (if i == 0 then 7 else if i == 3 then 1 else before[i - 1]) + (if i == n - 1 then 2 else behind[n - 1 - i - 1])) (iota n)

-- The places are those of what is scanned.
-- nests: grid 1 store, grid 1 scan, grid 1 scan, grid 1 scatter
-- input 7i64
entry in_place (n: i64) : [n]i64 =
  let xs = numbers n
  let before = scan (+) 0 xs
  let behind = reverse (scan (*) 1 (reverse xs))
  in scatter xs (map (\i -> n - 1 - i) (iota n)) (map2 (\a b -> a + 2 * b) before behind)

-- Looks like a part, and has an assertion.
-- nests: grid 1 store
-- parts: none
-- input [3i64,-5i64,7i64]
-- failing input [3i64,0i64,7i64]
entry assertion [n] (xs: [n]i64) : [n]i64 =
  map (\x -> let first = x * 2304 let end = i64.min (first + 2304) n in assert (x != 0) (first + end)) xs
