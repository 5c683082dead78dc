-- Prefix sums, and prefixes of a general operator: their derivatives, of one array and of every row.

-- | What a linear recurrence y = a y + b gives, as pairs that compose.
def recurrence [n] (as: [n]f64) (bs: [n]f64) : [n]f64 =
  scan (\(a1, b1) (a2, b2) -> (a1 * a2, b1 * a2 + b2)) (1, 0) (zip as bs) |> map (.1)

entry sums [n] (xs: [n]f64) : [n]f64 = scan (+) 0 xs
entry largest_so_far [n] (xs: [n]i32) : [n]i32 = scan i32.max i32.lowest xs

-- ==
-- entry: sums_vjp
-- input { [1f64, 2f64, 3f64] [1f64, 10f64, 100f64] } output { [111f64, 110f64, 100f64] }
entry sums_vjp [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (scan (+) 0) xs seed

entry recurrence_vjp [n] (as: [n]f64) (bs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(as, bs) -> recurrence as bs) (as, bs) seed

entry sums_jvp [n] (xs: [n]f64) (xs_tan: [n]f64) : [n]f64 = jvp (scan (+) 0 >-> map f64.sin) xs xs_tan

entry row_sums_vjp [n] [m] (xss: [n][m]f64) (seed: [n][m]f64) : [n][m]f64 =
  vjp (map (scan (+) 0 >-> map f64.sin)) xss seed
entry row_products_vjp [n] [m] (xss: [n][m]f64) (seed: [n][m]f64) : [n][m]f64 = vjp (map (scan (*) 1)) xss seed
