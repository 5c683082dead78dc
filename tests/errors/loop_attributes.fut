-- #[bound], #[checkpoint] and #[true_dep] say something of loops alone.

def not_a_loop (x: f64) = #[bound(3)] x * x -- error: `#[bound]` has no effect here: it is for `while` loops

def counted (n: i64) (x: f64) = #[bound(3)] loop y = x for _i < n do y * y -- error: it is for `while` loops

def no_limit (x: f64) = #[bound] loop y = x while y < 9 do y * y + 1 -- error: `#[bound]` needs one argument

def two_limits (x: f64) = #[bound(3, 4)] loop y = x while y < 9 do y * y + 1 -- error: `#[bound]` needs one argument

def unknown_limit (x: f64) = #[bound(most)] loop y = x while y < 9 do y * y + 1 -- error: `#[bound]` needs one argument

def limit_of_float (m: f64) (x: f64) = #[bound(m)] loop y = x while y < 9 do y * y + 1 -- error: but a `integer` is expected

def limit_by_name (m: i32) (x: f64) = #[bound(m)] #[stripmine(2)] loop y = x while y < 9 do y * y + 1

def promise_of_no_loop [n] (xs: [n]f64) = #[true_dep] map (* 2) xs -- error: `#[true_dep]` has no effect here: it is for loops and their parameters

def promise_of_name [n] (xs: [n]f64) = let #[true_dep] ys = copy xs in ys -- error: `#[true_dep]` has no effect here

def bound_of_name [n] (xs: [n]f64) = loop #[bound(3)] ys = copy xs for i < n do ys with [i] = 1 -- error: it is for `while` loops

def promise_of_loop [n] (xs: [n]f64) = #[true_dep] loop ys = copy xs for i < n do ys with [i] = 1

def promise_of_parameters [n] (xs: [n]f64) =
  loop (#[true_dep] ys, {z = #[true_dep] zs, s}) = (copy xs, {z = copy xs, s = 0f64}) for i < n do (ys with [i] = s, {z = zs, s})

def checkpoints_of_no_loop [n] (xs: [n]f64) = #[checkpoint(3)] map (* 2) xs -- error: `#[checkpoint]` has no effect here: it is for loops

def checkpoints_of_name [n] (xs: [n]f64) = loop #[checkpoint(3)] ys = copy xs for i < n do ys with [i] = 1 -- error: it is for loops

def two_numbers_of_states (x: f64) = #[checkpoint(3, 4)] loop y = x for _i < 9 do y * y -- error: how many states are kept at a time

def states_by_float (m: f64) (x: f64) = #[checkpoint(m)] loop y = x for _i < 9 do y * y -- error: but a `integer` is expected

def unknown_states (x: f64) = #[checkpoint(most)] loop y = x for _i < 9 do y * y -- error: how many states are kept at a time

def bytes_without_number (x: f64) = #[checkpoint_bytes] loop y = x for _i < 9 do y * y -- error: how many bytes they may take

def states_by_name (m: i32) (x: f64) = #[checkpoint(m)] loop y = x for _i < 9 do y * y

def states_without_number (x: f64) = #[checkpoint] loop y = x while y < 9 do y * y + 1

def online_checkpoints_of_no_loop [n] (xs: [n]f64) = #[checkpoint_online(3)] map (* 2) xs -- error: `#[checkpoint_online]` has no effect here: it is for loops

def two_numbers_of_online_states (x: f64) = #[checkpoint_online(3, 4)] loop y = x while y < 9 do y * y + 1 -- error: how many states are kept at a time

def online_states_by_float (m: f64) (x: f64) = #[checkpoint_online(m)] loop y = x while y < 9 do y * y + 1 -- error: but a `integer` is expected

def online_states_without_number (x: f64) = #[checkpoint_online] loop y = x while y < 9 do y * y + 1

def online_states_of_for_loop (m: i32) (x: f64) = #[checkpoint_online(m)] loop y = x for _i < 9 do y * y

def warm_fixed_point (x: f64) = (#[fixed_point(100, warm)] loop (y, old) = (x, x + 1) while y != old do (y / 2, y)).0

def fixed_point_of_word (x: f64) = (#[fixed_point(cold)] loop (y, old) = (x, x + 1) while y != old do (y / 2, y)).0 -- error: how many steps the adjoint of the loop may take

#[checkpoint] def function_that_runs_again (x: f64) = x * x

def expression_that_runs_again (x: f64) = #[checkpoint] (x * x)

#[checkpoint(3)] def states_of_function (x: f64) = x * x -- error: it is for loops; functions take `#[checkpoint]`

#[checkpoint_bytes(3)] def bytes_of_function (x: f64) = x * x -- error: it is for loops; functions take `#[checkpoint]`
