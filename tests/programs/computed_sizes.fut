-- Results whose sizes are computed from the sizes and numbers of the parameters.

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

-- ==
-- entry: differences
-- input { [1.0, 4.0, 9.0, 16.0] } output { [3.0, 5.0, 7.0] }
-- input { [1.0] } output { empty([0]f64) }
entry differences [n] (xs: [n]f64) = map2 (-) (tail xs) (init xs)

-- ==
-- entry: inner
-- input { [1.0, 4.0, 9.0, 16.0] } output { [4.0, 9.0] }
-- input { [1.0] } error: out of bounds
entry inner [n] (xs: [n]f64) = xs[1:n-1]

-- ==
-- entry: every_second
-- input { [1.0, 4.0, 9.0, 16.0, 25.0] } output { [2.0, 18.0, 50.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry every_second [n] (xs: [n]f64) = map (* 2) xs[::2]

-- ==
-- entry: pairs
-- input { [1.0, 4.0, 9.0, 16.0] } output { [5.0, 25.0] }
-- input { [1.0, 4.0, 9.0] } error: cannot be
entry pairs [n] (xs: [n]f64) = map f64.sum (unflatten (xs :> [(n / 2) * 2]f64))

-- ==
-- entry: table
-- input { 2 3i64 } output { [[0i64, 1i64, 2i64, 3i64], [4i64, 5i64, 6i64, 7i64]] }
-- input { 0 -1i64 } output { empty([0][0]i64) }
-- input { -1 3i64 } error:
entry table (n: i32) (m: i64) = tabulate_2d (i64.i32 n) (m + 1) (\i j -> i * (m + 1) + j)

-- ==
-- entry: at_least_none
-- input { 3i64 } output { [0.0, 1.0, 2.0] }
-- input { -2i64 } output { empty([0]f64) }
entry at_least_none (n: i64) = map f64.i64 (iota (i64.max 0 n))
