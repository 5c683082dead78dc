-- Results whose sizes are sums and products of the parameters' sizes.

-- ==
-- entry: joined
-- input { [1f64, 2f64] [3f64] } output { [2f64, 4f64, 6f64] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
-- input { empty([0]f64) [3f64] } output { [6f64] }
entry joined [n] [m] (xs: [n]f64) (ys: [m]f64) : [n + m]f64 = map (2 *) (xs ++ ys)

-- ==
-- entry: products
-- input { [1f64, 2f64] [3f64, 4f64, 5f64] } output { [3f64, 4f64, 5f64, 6f64, 8f64, 10f64] }
-- input { [1f64, 2f64] empty([0]f64) } output { empty([0]f64) }
entry products [n] [m] (xs: [n]f64) (ys: [m]f64) : [n * m]f64 = flatten (map (\x -> map (x *) ys) xs)

-- ==
-- entry: framed
-- input { [[1i64, 2i64]] } output { [[0i64, 0i64, 0i64], [1i64, 2i64, 9i64]] }
entry framed [n] [m] (xss: [n][m]i64) : [1 + n][m + 1]i64 =
  [replicate (m + 1) 0] ++ map (\xs -> xs ++ [9]) xss

-- ==
-- entry: products_vjp
-- input { [1f64, 2f64] [3f64, 4f64] [1f64, 0f64, 0f64, 10f64] } output { [3f64, 40f64] [1f64, 20f64] }
entry products_vjp [n] [m] (xs: [n]f64) (ys: [m]f64) (seed: [n * m]f64) : ([n]f64, [m]f64) =
  vjp (\(xs, ys) -> products xs ys) (xs, ys) seed
