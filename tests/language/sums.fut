-- Sum types and match: nested, literal, record and tuple patterns.

type shape = #circle f64 | #box {w: f64, h: f64} | #line
type opt 'a = #some a | #none

def area (s: shape) : f64 =
  match s
  case #circle r -> 3 * r * r
  case #box {w = 0, h = _} -> 0
  case #box {w, h} -> w * h
  case #line -> 0

-- ==
-- entry: areas
-- input { 2f64 } output { [12f64, 0f64, 6f64, 0f64] 18f64 }
entry areas (r: f64) =
  let shapes : []shape = [#circle r, #box {w = 0, h = r}, #box {w = r, h = r + 1}, #line]
  let as = map area shapes
  in (as, f64.sum as)

def or_else 'a (x: opt a) (y: a) : a =
  match x
  case #some v -> v
  case #none -> y

-- ==
-- entry: first_even
-- input { [1, 4, 6] } output { 4 }
-- input { [1, 3] } output { -1 }
entry first_even (xs: []i32) =
  let better (a: opt i32) (b: opt i32) : opt i32 =
    match (a, b)
    case (#some x, _) -> #some x
    case (#none, y) -> y
  in or_else (reduce better #none (map (\x : opt i32 -> if x % 2 == 0 then #some x else #none) xs)) (-1)

-- ==
-- entry: literals
-- input { 0 true } output { 10 }
-- input { 1 false } output { 11 }
-- input { -3 true } output { 12 }
-- input { 7 false } output { 13 }
entry literals (x: i32) (b: bool) : i32 =
  match (x, b)
  case (0, _) -> 10
  case (1, false) -> 11
  case (-3, true) -> 12
  case _ -> 13

type tree = #leaf i32 | #pair (i32, opt i32)

-- ==
-- entry: nested
-- input { 1 2 } output { [1, 3, 1] }
entry nested (x: i32) (y: i32) =
  let value (t: tree) =
    match t
    case #leaf v -> v
    case #pair (a, #some b) -> a + b
    case #pair (a, #none) -> a
  in map value [#leaf x, #pair (x, #some y), #pair (x, #none)]

-- ==
-- entry: with_arrays
-- input { 0i64 } output { 0i64 }
-- input { 3i64 } output { 3i64 }
entry with_arrays (n: i64) =
  let xs : opt ([]i64) = if n > 0 then #some (iota n) else #none
  in match xs case #some is -> i64.sum is case #none -> n
