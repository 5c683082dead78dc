-- Integers narrower than `int`, and unsigned ones, that are elements of what is put together: values of reductions and scans of
-- several arrays, and small arrays of a thread.

-- | Bits, and branches whose results are numbers.
-- ==
-- entry: reduced
-- input { [100i8, -128i8, 7i8, -1i8] [100u8, 128u8, 7u8, 255u8] } output { 3i8 28u8 -5i8 }
-- input { empty([0]i8) empty([0]u8) } output { -1i8 0u8 -128i8 }
entry reduced [n] (xs: [n]i8) (ys: [n]u8) : (i8, u8, i8) =
  map2 (\x y -> (x | 3, !y, if x > 0 then 0 - x else -5)) xs ys
  |> reduce (\(a, b, c) (d, e, f) -> (a & d, b ^ e, i8.max c f)) (-1, 0, i8.lowest)

-- ==
-- entry: scanned
-- input { [100i16, -128i16, 7i16, 2i16] [100u64, 128u64, 7u64, 255u64] }
-- output { [1i16, 3i16, 4i16, 6i16] [2u64, 6u64, 12u64, 3060u64] }
entry scanned [n] (xs: [n]i16) (ys: [n]u64) : ([n]i16, [n]u64) =
  map2 (\x y -> if x > 3 then (1, 2) else if x < 0 then (2, 3) else (2, y)) xs ys
  |> scan (\(a, b) (d, e) -> (a + d, b * e)) (0, 1)
  |> unzip

-- ==
-- entry: literal
-- input { [100i8, -128i8, 7i8, -1i8] [1i64, 2i64, 3i64, 4i64] } output { [7i8, 0i8, 0i8, 14i8] }
entry literal [n] (xs: [n]i8) (is: [n]i64) : [n]i8 =
  map2 (\x i -> let t = [x, 3, if x > 0 then 1 else 0, -x, x & 7] in t[i] + t[4]) xs is

-- | The last of those that are positive, if there is one.
type maybe = #none | #some f64
-- ==
-- entry: last_positive_vjp
-- input { [1.0, -2.0, 3.0, -4.0] } output { [1.0, 1.0, 3.0, 3.0] [2.0, 0.0, 2.0, 0.0] }
-- input { [-1.0, -2.0] } output { [0.0, 0.0] [0.0, 0.0] }
entry last_positive_vjp [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  let last (xs: [n]f64) =
    map (\x -> if x > 0 then #some x else #none) xs
    |> scan (\(a: maybe) b -> match b case #none -> a case #some _ -> b) #none
    |> map (\m -> match m case #none -> 0 case #some x -> x)
  in vjp2 last xs (replicate n 1)

-- | Bins of bytes and of 16 bits, an odd number of them: atomics work on words around them.
-- ==
-- entry: bins
-- input { [0i64, 2i64, 1i64, 2i64, 9i64] [true, true, false, true, true] [200u8, 100u8, 3u8, 90u8, 1u8] [1.5f16, 2f16, 3f16, 0.5f16, 7f16] }
-- output { [true, false, false] [200u8, 3u8, 190u8] [1i16, -1i16, 2i16] [1.5f16, 3f16, 1f16] }
entry bins [n] (is: [n]i64) (bs: [n]bool) (us: [n]u8) (hs: [n]f16) : ([3]bool, [3]u8, [3]i16, [3]f16) =
  (reduce_by_index (replicate 3 false) (!=) false is bs,
   reduce_by_index (replicate 3 0) (+) 0 is us,
   reduce_by_index (replicate 3 (-1)) i16.max i16.lowest is (map (\b -> if b then 1 else -2) bs |> map2 (\i b -> b * (1 + i16.i64 i / 2)) is),
   reduce_by_index (replicate 3 1) (*) 1 is hs)
