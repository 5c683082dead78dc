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
