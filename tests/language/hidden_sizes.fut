-- Sizes that types hide: behind type parameters, and in the results of functions.

def iterate '~a (n: i32) (f: (() -> a) -> a) (x: () -> a) : a =
  loop x = x () for _i < n do f (\() -> x)

-- ==
-- entry: growing
-- input { 2 [1, 2] } output { [1, 2, 1, 2, 1, 2, 1, 2] }
-- input { 0 [1, 2] } output { [1, 2] }
entry growing (n: i32) (xs: []i32) = iterate n (\(x: () -> []i32) -> x () ++ x ()) (\() -> xs)

def grid (n: i64) (m: i64) (x: i32) = replicate n (replicate m x)

-- ==
-- entry: of_function
-- input { 2i64 3i64 } output { [[7, 7, 7], [7, 7, 7]] [[9, 9, 9], [9, 9, 9]] }
entry of_function (n: i64) (m: i64) =
  let f = uncurry grid (n, m)
  in (map id (f 7), map (map (+ 1)) (f 8))
