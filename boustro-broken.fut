def sum [n] (xs: [n]f64) : f64 =
  let total = reduce (+) 0.0f64 xs
  in total

def vjp (j: i64) (x: [4]f64) (y_adj: f64) : *[4]f64 =
  let (y, xs_adj) = vjp2 (\(xs: [4]f64) ->
    let a_1 =
      loop (a: f64) = 1.0f64 for i < 2i64 do
        let sum_1 = i + j
        let sum_2 = sum_1 + 2i64
        let n = sum_2 - sum_1
        let inside = sum_2 <= 4i64
        let inside_1 = 0i64 <= sum_1
        let inside_2 = inside_1 && inside
        let inside_3 = sum_1 <= sum_2
        let inside_4 = inside_3 && inside_2
        let inside_5 = n == 0i64
        let inside_6 = inside_5 || inside_4
        let _ = assert inside_6 ()
        let x_1 = xs[sum_1:sum_1 + n] :> [n]f64
        let total = sum x_1
        let product = a * total
        in product
    in a_1) x y_adj
  in xs_adj

entry loop_vjp (xs: [4]f64) (j: i64) : *[4]f64 =
  let xs_adj = vjp j xs 1.0f64
  in xs_adj
