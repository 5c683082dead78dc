-- Sizes of intermediate arrays that are found on the way: in branches, in loops, from floats and booleans.

-- ==
-- entry: of_float
-- input { 2.0 3.0 } output { 9.0 }
-- input { 0.5 3.0 } output { 0.0 }
entry of_float (x: f64) (y: f64) : f64 =
  f64.sum (map (+ y) (scan (+) 0 (map (\i -> y * f64.i64 i) (iota (i64.f64 x)))))

-- ==
-- entry: of_boolean
-- input { true 3.0 } output { 12.0 }
-- input { false 3.0 } output { 60.0 }
entry of_boolean (x: bool) (y: f64) : f64 =
  let n = if x then 3 else 5
  in f64.sum (scan (+) 0 (map (\i -> y * f64.i64 i) (iota n)))

-- ==
-- entry: in_branch
-- input { [1.0, 2.0, 3.0] 8i64 } output { 17.0 }
-- input { [1.0, 2.0, 3.0] 0i64 } output { 0.0 }
entry in_branch [n] (xs: [n]f64) (k: i64) : f64 =
  if k > 3 then f64.sum (scan (+) 0 (map (\i -> xs[i % n]) (iota (k / 2)))) else 0

-- The derivative of a branch that takes slices.

-- ==
-- entry: in_branch_gradient
-- input { [1.0, 2.0, 3.0] 0.2 } output { [3.0, 1.0, 2.0] }
-- input { [1.0, 2.0, 3.0] 0.5 } output { [1.0, 2.0, 3.0] }
entry in_branch_gradient [n] (xs: [n]f64) (c: f64) : [n]f64 =
  vjp (\ys -> if c <= 0.3 then rotate 1 ys else ys) xs xs

-- What a loop or branch that does not run would divide by may be zero.

-- ==
-- entry: in_loop
-- input { [1.0, 2.0, 3.0] 0i64 0i64 } output { 1.0 }
-- input { [1.0, 2.0, 3.0] 2i64 2i64 } output { 4.0 }
entry in_loop [n] (xs: [n]f64) (k: i64) (q: i64) : f64 =
  loop s = 1 for _j < k do s + f64.sum (scan (+) 0 (map (\i -> s * xs[i % n]) (iota (n / q))))

-- ==
-- entry: divided_in_branch
-- input { [1.0, 2.0, 3.0] 0i64 } output { 0.0 }
-- input { [1.0, 2.0, 3.0] 1i64 } output { 10.0 }
entry divided_in_branch [n] (xs: [n]f64) (q: i64) : f64 =
  if q > 0 then f64.sum (scan (+) 0 (map (\i -> xs[i % n]) (iota (n / q)))) else 0
