-- An entry with scalars and arrays among its results, and arguments given back.

-- ==
-- entry: statistics
-- input { [1f64, 2f64, 6f64] } output { 3i64 3f64 [-2f64, -1f64, 3f64] true }
entry statistics [n] (xs: [n]f64) : (i64, f64, [n]f64, bool) =
  let mean = f64.sum xs / f64.i64 n
  in (n, mean, map (\x -> x - mean) xs, n > 2)

entry unchanged [n] (xs: [n]f64) (a: i32) (flag: bool) : ([n]f64, i32, bool, [n]f64) = (xs, a, !flag, xs)

entry with_value [n] (xs: [n]f64) : (f64, [n]f64) = vjp2 (\xs -> f64.sum (map f64.sin xs)) xs 1
