-- Sizes that are computed from arrays, or that nothing decides.

def ids [n] (counts: [n]i64) : [i64.sum counts]i64 =
  let total = i64.sum counts
  in tabulate total (\i -> i64.sum (map (\end -> i64.bool (end <= i)) (scan (+) 0 counts)))

def copied [n] 'a (counts: [n]i64) (xs: [i64.sum counts]a) : [i64.sum counts]a = copy xs

-- ==
-- entry: repeated
-- input { [1i64, 0i64, 3i64] } output { [0i64, 2i64, 2i64, 2i64] [2i64, 5i64, 6i64, 7i64] 4i64 }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) 0i64 }
entry repeated [n] (counts: [n]i64) =
  let is = ids counts
  in (is, map2 (+) is (tabulate (i64.sum counts) (+ 2)) |> copied counts, length is)

-- ==
-- entry: rows_of_one_size
-- input { [2i64, 1i64] [3.0, 4.0] } output { [[3.0, 3.0], [4.0, 4.0]] [14.0, 14.0] }
entry rows_of_one_size (ks: [2]i64) (xs: []f64) =
  ( map (\x -> replicate ks[0] x) xs
  , jvp (\ys -> replicate ks[0] (f64.sum ys)) xs (map (* 2) xs)
  )

-- ==
-- entry: size_of_what_is_consumed
-- input { 4i64 } output { [9i64, 10i64] }
entry size_of_what_is_consumed (n: i64) =
  let ks = iota n
  let is = iota ks[2]
  let ks[0] = 9
  in map (+ ks[0]) is

-- ==
-- entry: halves
-- input { [1i64, 2i64] } output { [0i64, 1i64, 2i64] [3i64, 4i64] }
entry halves [n] (ks: [n]i64) =
  let (a, b) = split (iota (i64.sum ks + n))
  in (a, b)

def split_at [n] 'a (at: [1]i64) (xs: [n]a) : ?[k].([k]a, [n - k]a) = (xs[0:at[0]], xs[at[0]:n])

-- ==
-- entry: slices_that_fit
-- input { 1i64 [5, 6, 7] } output { [5] [6, 7] }
entry slices_that_fit (k: i64) (xs: []i32) = split_at [k] xs

type maybe 't = #some t | #none

-- ==
-- entry: absent
-- input { true } output { 3i64 }
-- input { false } output { -1i64 }
entry absent (present: bool) =
  match (if present then #some (iota 3) else #none :> maybe ([]i64))
  case #some xs -> length xs
  case #none -> -1

-- ==
-- entry: square
-- input { } output { 0i64 }
entry square = let [k] (xss: [k][k]i64) = [] in k

-- ==
-- entry: element_updated
-- input { 0 } output { [1, 0, 3] [7, 8] [4, 5, 6] }
entry element_updated (v: i32) =
  let records = [{a = [1, 2, 3], b = [7, 8]}, {a = [4, 5, 6], b = [9, 9]}]
  let changed = records with [0].a[1] = v
  in (changed[0].a, changed[0].b, changed[1].a)

module type vector = { type t val zero : t val twice : t -> t }
module first_or_zero (v: vector) = {
  def twice_or_zero (b: bool) (x: v.t) : v.t = if b then v.twice x else v.zero
}
module pairs = first_or_zero { type t = [2]i32 def zero = [0, 0] def twice = map (* 2) }

-- ==
-- entry: constant_of_abstract_type
-- input { true } output { [2, 4] [0, 0] }
-- input { false } output { [9, 0] [0, 0] }
entry constant_of_abstract_type (b: bool) =
  let xs = pairs.twice_or_zero b [1, 2]
  let ys = if b then xs else copy xs with [0] = 9
  in (ys, pairs.twice_or_zero false [1, 1])

type^ pair 'a = (a, a)
def both '^a '^b (f: a -> b) (p: pair a) : pair b = (f p.0, f p.1)

-- ==
-- entry: functions_in_pairs
-- input { 3 } output { 4 6 }
entry functions_in_pairs (x: i32) = both (\f -> f x) ((+ 1), (* 2))

def repeat '~a (n: i32) (f: (() -> a) -> a) (x: () -> a) : a =
  loop x = x () for _i < n do f (\() -> x)

-- ==
-- entry: hidden_sizes_change
-- input { 0 [1, 2] } output { [1, 2] }
-- input { 2 [1, 2] } output { [1, 2, 1, 2, 1, 2, 1, 2] }
entry hidden_sizes_change (n: i32) (xs: []i32) = repeat n (\(get: () -> []i32) -> get () ++ get ()) (\() -> xs)

def grid (n: i64) (m: i64) (b: bool) = replicate n (replicate m b)
def grid_of_pair = uncurry grid

-- ==
-- entry: sizes_of_partial_application
-- input { 1i64 2i64 } output { [[true, true]] }
entry sizes_of_partial_application (n: i64) (m: i64) = map id (grid_of_pair (n, m) true)

-- ==
-- entry: function_hole
-- input { true } output { 2 }
-- input { false } error: hole
entry function_hole (b: bool) : i32 = if b then 2 else ??? (+ 1) b
