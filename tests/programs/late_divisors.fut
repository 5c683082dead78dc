-- Divisors and numbers of summands that only the device knows.

-- ==
-- entry: remainders
-- input { [[5i64, 7i64, 3i64], [9i64, 4i64, 2i64]] } output { [15i64, 6i64] }
entry remainders [n] [m] (xss: [n][m]i64) : [n]i64 =
  let most = i64.maximum (map i64.maximum xss) in map (\xs -> i64.sum (map (% most) xs)) xss

-- ==
-- entry: first_sums
-- input { [[5.0, 7.0, 3.0], [9.0, 4.0, 2.0], [1.0, 1.0, 1.0]] [true, false, true] } output { [12.0, 13.0, 2.0] }
entry first_sums [n] (xss: [n][n]f64) (flags: [n]bool) : [n]f64 =
  let m = i64.sum (map i64.bool flags) in map (\xs -> f64.sum (map (\i -> #[unsafe] xs[i]) (iota m))) xss

-- ==
-- entry: first_products
-- input { [[5.0, 7.0], [9.0, 4.0]] [true, false] } output { [[25.0, 45.0], [45.0, 81.0]] }
entry first_products [n] (xss: [n][n]f64) (flags: [n]bool) : [n][n]f64 =
  let m = i64.sum (map i64.bool flags) in map (\xs -> map (\ys -> f64.sum (map (\i -> #[unsafe] xs[i] * ys[i]) (iota m))) xss) xss

-- By what the caller gives, which may be nothing to divide by where there is nothing to divide.
-- ==
-- entry: remainders_by
-- input { 3i64 [[5i64, 7i64, 3i64], [9i64, 4i64, 2i64]] } output { [3i64, 3i64] }
-- input { 0i64 [[5i64, 7i64]] } error: division by zero
-- input { 0i64 empty([2][0]i64) } output { [0i64, 0i64] }
-- input { 0i64 empty([0][3]i64) } output { empty([0]i64) }
entry remainders_by [n] [m] (k: i64) (xss: [n][m]i64) : [n]i64 = map (\xs -> i64.sum (map (% k) xs)) xss
