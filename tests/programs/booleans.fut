-- Arrays of truth values and of small integers.

-- ==
-- entry: logic
-- input { [true, true, false, false] [true, false, true, false] }
-- output { [true, false, false, false] [true, true, true, false] [false, true, true, false] 2i64 }
entry logic [n] (ps: [n]bool) (qs: [n]bool) : ([n]bool, [n]bool, [n]bool, i64) =
  (map2 (&&) ps qs, map2 (||) ps qs, map2 (!=) ps qs, i64.sum (map i64.bool ps))

entry quantifiers [n] (xs: [n]i32) : (bool, bool) = (all (> 0) xs, any (> 2) xs)

entry of_rows [n] [m] (pss: [n][m]bool) : ([n]bool, [m]bool) = (map and pss, map or (transpose pss))

entry masked_vjp [n] (mask: [n]bool) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map2 (\p x -> if p then x * x else 0) mask xs)) xs 1

entry counts [n] (xs: [n]u8) (ys: [n]i16) : ([n]u8, [n]i16, i16) = (map (* 2) xs, map (\y -> y - 1) ys, i16.sum ys)
