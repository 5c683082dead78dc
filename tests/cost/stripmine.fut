-- A loop of many steps, whose states are kept for a root of them at a time.

entry twice (n: i64) (x: f64) : f64 =
  vjp (\x -> #[stripmine(2)] loop y = x for _i < n do f64.sin y) x 1

entry three_times (n: i64) (x: f64) : f64 =
  vjp (\x -> #[stripmine(3)] loop y = x for _i < n do f64.sin y) x 1
