-- A loop that updates one element of its array in each step: the derivative costs as much as the steps, never the array.

def step [n] (xs: *[n]f64) (i: i64) : *[n]f64 = xs with [i] = xs[i] * xs[(i * 7 + 3) % n]

def once [n] (xs: [n]f64) : [n]f64 = loop ys = copy xs for i < n do step ys i

def in_branch [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do if i % 3 == 0 then step ys i else ys

def in_two_loops [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n / 4 do loop ys for j < 4 do step ys (4 * i + j)

entry once_objective [n] (xs: [n]f64) : [n]f64 = once xs
entry once_gradient [n] (xs: [n]f64) : [n]f64 = vjp once xs xs
entry in_branch_objective [n] (xs: [n]f64) : [n]f64 = in_branch xs
entry in_branch_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_branch xs xs
entry in_two_loops_objective [n] (xs: [n]f64) : [n]f64 = in_two_loops xs
entry in_two_loops_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_two_loops xs xs

def in_uneven_loops [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do loop ys for j < i % 4 do step ys ((i + j) % n)

def in_three_loops [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do loop ys for j < i % 3 do loop ys for k < (i + j) % 3 do step ys ((i + j + k) % n)

def as_slices [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    let k = i % 4
    let zs = map (* ys[i]) (take k ys)
    in ys with [0:k] = zs

def in_while [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    (loop (ys, j) = (ys, 0) while j < 3 do (step ys ((i + j) % n), j + 1)).0

def in_two_whiles [n] (xs: [n]f64) : [n]f64 =
  let (ys, _) =
    loop (ys, i) = (copy xs, 0) while i < n do
      ((loop (ys, j) = (ys, 0) while j < 3 do (step ys ((i + j) % n), j + 1)).0, i + 1)
  in ys

entry in_uneven_loops_objective [n] (xs: [n]f64) : [n]f64 = in_uneven_loops xs
entry in_uneven_loops_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_uneven_loops xs xs
entry in_three_loops_objective [n] (xs: [n]f64) : [n]f64 = in_three_loops xs
entry in_three_loops_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_three_loops xs xs
entry as_slices_objective [n] (xs: [n]f64) : [n]f64 = as_slices xs
entry as_slices_gradient [n] (xs: [n]f64) : [n]f64 = vjp as_slices xs xs
entry in_while_objective [n] (xs: [n]f64) : [n]f64 = in_while xs
entry in_while_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_while xs xs
entry in_two_whiles_objective [n] (xs: [n]f64) : [n]f64 = in_two_whiles xs
entry in_two_whiles_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_two_whiles xs xs

-- By accumulators: whoever writes is a map of a few elements.

def by_accumulator [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    let y = ys[i] * ys[(i * 7 + 3) % n]
    in intrinsics.scatter_stream ys (\acc j -> intrinsics.acc_write acc ((i + j) % n) (y * f64.i64 j)) (iota 2)

def by_added_accumulator [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    let y = ys[i] * ys[(i * 7 + 3) % n]
    in intrinsics.hist_stream ys (+) 0 (\acc j -> intrinsics.acc_write acc ((i + j) % n) (y * f64.i64 j)) (iota 2)

entry by_accumulator_objective [n] (xs: [n]f64) : [n]f64 = by_accumulator xs
entry by_accumulator_gradient [n] (xs: [n]f64) : [n]f64 = vjp by_accumulator xs xs
entry by_added_accumulator_objective [n] (xs: [n]f64) : [n]f64 = by_added_accumulator xs
entry by_added_accumulator_gradient [n] (xs: [n]f64) : [n]f64 = vjp by_added_accumulator xs xs

-- With attributes: a bounded while loop whose condition reads the array, and a loop without false dependences.

def in_bounded_while [n] (xs: [n]f64) : [n]f64 =
  let (ys, _) =
    #[bound(n)] loop (ys, i) = (copy xs, 0) while i < n && ys[i] < 1e6 do (step ys i, i + 1)
  in ys

def in_bounded_whiles [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    (#[bound(3)] loop (ys, j) = (ys, 0) while j < 3 && ys[i] < 1e6 do (step ys ((i + j) % n), j + 1)).0

def of_true_dep [n] (xs: [n]f64) : [n]f64 =
  loop #[true_dep] ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] * xs[i]

def of_plain_dep [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i] * xs[i]

entry in_bounded_while_objective [n] (xs: [n]f64) : [n]f64 = in_bounded_while xs
entry in_bounded_while_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_bounded_while xs xs
entry in_bounded_whiles_objective [n] (xs: [n]f64) : [n]f64 = in_bounded_whiles xs
entry in_bounded_whiles_gradient [n] (xs: [n]f64) : [n]f64 = vjp in_bounded_whiles xs xs
entry of_true_dep_objective [n] (xs: [n]f64) : [n]f64 = of_true_dep xs
entry of_true_dep_gradient [n] (xs: [n]f64) : [n]f64 = vjp of_true_dep xs xs
entry of_plain_dep_gradient [n] (xs: [n]f64) : [n]f64 = vjp of_plain_dep xs xs
