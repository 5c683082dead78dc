-- Closures, higher-order functions, polymorphism.

def twice 'a (f: a -> a) (x: a) : a = f (f x)

-- ==
-- entry: applied_twice
-- input { 3i32 } output { 12i32 5i32 }
entry applied_twice (x: i32) = (twice (* 2) x, twice (+ 1) x)

-- ==
-- entry: captured
-- input { 10i32 [1i32, 2i32] } output { [11i32, 12i32] }
entry captured [n] (a: i32) (xs: [n]i32) =
  let add y = a + y
  in map add xs

-- ==
-- entry: partial
-- input { [1i32, 2i32] } output { [9i32, 8i32] [-9i32, -8i32] }
entry partial [n] (xs: [n]i32) = (map (10 -) xs, map (\x -> x - 10) xs)

-- ==
-- entry: sections
-- input { 7i32 2i32 } output { 5i32 -5i32 9i32 }
entry sections (x: i32) (y: i32) =
  let minus (a: i32) (b: i32) = a - b
  in ((x -) y, (`minus` x) y, (+) x y)

-- ==
-- entry: composed
-- input { 3i32 } output { 8i32 7i32 }
entry composed (x: i32) =
  let f = (+ 1) >-> (* 2)
  let g = (+ 1) <-< (* 2)
  in (f x, g x)

-- ==
-- entry: function_result
-- input { 2i32 5i32 } output { 7i32 }
entry function_result (a: i32) (b: i32) =
  let adder x = \y -> x + y
  in (adder a) b

-- ==
-- entry: functions_in_records
-- input { 2.0 } output { 6.0 1.0 }
entry functions_in_records (x: f64) =
  let ops = {scale = (* 3.0), shift = (\y -> y - 1.0)}
  in (ops.scale x, ops.shift x)

def apply 'a 'b (f: a -> b) (x: a) = f x

-- ==
-- entry: polymorphic
-- input { 1i32 2.0 } output { 2i32 4.0 [1i32, 1i32, 1i32] }
entry polymorphic (a: i32) (b: f64) = (apply (+ 1) a, apply (* 2.0) b, apply (replicate 3) a)

def step1 (x: i64) = x + 1
def compose2 'a (f: a -> a) : a -> a = \x -> f (f x)

-- ==
-- entry: doubling
-- input { 0i64 } output { 1024i64 }
entry doubling (x: i64) =
  let f1 = compose2 step1
  let f2 = compose2 f1
  let f3 = compose2 f2
  let f4 = compose2 f3
  let f5 = compose2 f4
  let f6 = compose2 f5
  let f7 = compose2 f6
  let f8 = compose2 f7
  let f9 = compose2 f8
  let f10 = compose2 f9
  in f10 x

def g0 (x: f64) = x * 0.5 + 1.0
def g1 x = g0 (g0 x)
def g2 x = g1 (g1 x)
def g3 x = g2 (g2 x)

-- ==
-- entry: named_doubling
-- input { 0.0 } output { 1.9921875 }
entry named_doubling (x: f64) = g3 x

def total [n] : [n]f64 -> f64 = reduce (+) 0

-- ==
-- entry: point_free
-- input { [1.0, -2.0, 4.0] } output { 3.0 5.0 }
entry point_free [n] (xs: [n]f64) = (total xs, total (filter (> 0) xs))

-- ==
-- entry: local_polymorphic
-- input { 1i32 true } output { 1i32 true }
entry local_polymorphic (x: i32) (b: bool) =
  let pick 'a (x: a) (_: a) : a = x
  in (pick x 2, pick b false)

-- ==
-- entry: piped
-- input { [1i32, 2i32, 3i32] } output { 12i32 }
entry piped [n] (xs: [n]i32) = xs |> map (* 2) |> i32.sum

-- ==
-- entry: folded
-- input { [1i32, 2i32, 3i32] } output { 123i32 321i32 }
entry folded [n] (xs: [n]i32) = (foldl (\a x -> a * 10 + x) 0 xs, foldr (\x a -> a * 10 + x) 0 xs)
