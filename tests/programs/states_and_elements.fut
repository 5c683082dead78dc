-- What one thread does between kernels, and states that change places after each step.

-- Elements are read and written in turn, some through views of the same array.

-- ==
-- entry: elements
-- input { [1f64, 2f64, 3f64, 4f64] 1i64 } output { [2f64, 7f64, 3f64, 4f64] 6f64 }
-- input { [1f64, 2f64] 5i64 } error: out of bounds
entry elements [n] (xs: [n]f64) (i: i64) : ([n]f64, f64) =
  let ys = map (* 1) xs
  let total = f64.sum ys
  let back = reverse ys
  let last = back[0]
  let ys = copy ys with [0] = ys[i]
  let ys = ys with [i] = last + ys[0] + (if total > 9 then 1 else 0)
  in (ys, ys[i] - back[n - 1])

-- ==
-- entry: exchanged
-- input { [[1f64, 2f64], [3f64, 4f64]] 0i64 1i64 } output { [[3f64, 4f64], [1f64, 2f64]] }
entry exchanged [n] [m] (xss: [n][m]f64) (i: i64) (j: i64) : [n][m]f64 =
  let (x, y) = (copy xss[i], copy xss[j])
  in (copy xss with [i] = y) with [j] = x

-- Rows that are chosen by data.

-- ==
-- entry: chosen_rows
-- input { [[1f64, 2f64], [3f64, 4f64]] [1i64, 0i64] [5f64, 6f64] } output { [[1f64, 2f64], [5f64, 6f64]] }
-- input { [[1f64, 2f64], [3f64, 4f64]] [1i64, 1i64] [5f64, 6f64] } error: out of bounds
entry chosen_rows [n] [m] [k] (xss: [n][m]f64) (is: [k]i64) (row: [m]f64) : [n][m]f64 =
  copy xss with [i64.sum is] = row

-- States of loops: one made from the other, one kept, a scalar besides, loops in loops.

-- ==
-- entry: in_turn
-- input { [1f64, 2f64] [3f64, 5f64] 3i64 } output { [7f64, 12f64] [11f64, 19f64] }
-- input { [1f64, 2f64] [3f64, 5f64] 0i64 } output { [1f64, 2f64] [3f64, 5f64] }
entry in_turn [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64) =
  loop (xs, ys) for _i < k do (ys, map2 (+) xs ys)

-- ==
-- entry: with_totals
-- input { [1f64, 2f64, 3f64] 2i64 } output { [37f64, 38f64, 39f64] 24f64 1f64 }
entry with_totals [n] (xs: [n]f64) (k: i64) : ([n]f64, f64, f64) =
  let first = f64.minimum xs
  in loop (ys, total, first) = (xs, 0, first) for _i < k do
       let sum = f64.sum ys
       in (map (+ (sum + total)) ys, sum, first)

-- ==
-- entry: layers
-- input { [1f64, 2f64] 2i64 3i64 } output { [37f64, 47f64] 96f64 }
entry layers [n] (xs: [n]f64) (k: i64) (l: i64) : ([n]f64, f64) =
  loop (xs, sum) = (xs, 0) for i < k do
    let ys = loop ys = xs for j < l do map2 (\y z -> y + z * f64.i64 (i + j)) ys (reverse xs)
    in (ys, sum + f64.sum ys)

-- ==
-- entry: layers_vjp
-- input { [1f64, 2f64] 2i64 3i64 [1f64, 2f64] 1f64 }
entry layers_vjp [n] (xs: [n]f64) (k: i64) (l: i64) (seed: [n]f64) (sum_seed: f64) : [n]f64 =
  vjp (\xs -> layers xs k l) xs (seed, sum_seed)

-- ==
-- entry: until
-- input { [1f64, 2f64] 20f64 } output { [12f64, 24f64] 3i64 }
entry until [n] (xs: [n]f64) (limit: f64) : ([n]f64, i64) =
  let (ys, steps, _) =
    loop (ys, steps, goes_on) = (xs, 0i64, true) while goes_on do
      let zs = map2 (\y x -> 2 * y + x * f64.i64 steps) ys xs
      in (zs, steps + 1, f64.sum zs < limit && steps < 9)
  in (ys, steps)
