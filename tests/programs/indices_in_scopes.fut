-- Indices that inner scopes check first.

-- ==
-- entry: checked_in_a_loop
-- input { [[1.0, 2.0, 3.0], [-1.0, 1.0, 1.0]] [2.0, 3.0, 4.0] [7i64, 7i64] } output { [11.0, 1.0] }
-- input { [[1.0, 2.0, 3.0], [-1.0, 1.0, 1.0]] [2.0, 3.0, 4.0] empty([0]i64) } error: out of bounds
entry checked_in_a_loop [n] [m] (xss: [n][m]f64) (factors: [m]f64) (is: []i64) : [n]f64 =
  let j = length is - 1
  in map (\xs ->
            let ys = scan (+) 0 (map (\x -> x * factors[j]) xs)
            in ys[j] + (if ys[0] > 0 then xs[j] else 1))
         xss
