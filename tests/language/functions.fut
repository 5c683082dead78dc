-- Higher-order functions: closures, currying, composition, polymorphism, local functions.

def twice 'a (f: a -> a) : a -> a = f >-> f
def apply_to 'a 'b (x: a) (f: a -> b) : b = f x
def choose (c: bool) = if c then (\x -> x + 1i32, 1i32).1 else 0
def choose_one : i32 = choose true
def scaled (k: i32) = \x -> k * x

-- ==
-- entry: applied
-- input { 3 } output { 12 81 9 5 6 }
entry applied (x: i32) =
  let square y = y * y
  let add (y: i32) (z: i32) = y + z
  let swapped 'a 'b 'c (f: a -> b -> c) (y: b) (z: a) = f z y
  in (twice (* 2) x, twice square x, apply_to x square, (x |> add) 2, (scaled 2) x + 0 * swapped add x choose_one)

-- ==
-- entry: over_arrays
-- input { [1f64, 4f64] [2, 3] } output { [1f64, 2f64] [3, 4] }
entry over_arrays (xs: []f64) (ys: []i32) =
  let each 'a [n] (f: a -> a) (as: [n]a) = map f as
  in (each f64.sqrt xs, each (+ 1) ys)

-- ==
-- entry: in_records
-- input { 5 } output { 11 }
entry in_records (x: i32) =
  let ops = {grow = (* 2), step = \y -> y + 1i32}
  in x |> ops.grow |> ops.step

type^ predicate 'a = a -> bool
def both 'a (p: predicate a) (q: predicate a) : predicate a = \x -> p x && q x

-- ==
-- entry: lifted
-- input { [1, 2, 3, 4, 5] } output { [2, 4] }
entry lifted (xs: []i32) = filter (both (> 1) (\x -> x % 2 == 0)) xs
