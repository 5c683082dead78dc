-- Sum types and matches.

type shape = #circle f64 | #square f64 | #rectangle f64 f64 | #nothing

def area (s: shape) : f64 =
  match s
  case #circle r -> 3.0 * r * r
  case #square a -> a * a
  case #rectangle a b -> a * b
  case #nothing -> 0

-- ==
-- entry: known
-- input { 2.0 } output { 12.0 4.0 6.0 0.0 }
entry known (x: f64) = (area (#circle x), area (#square x), area (#rectangle x 3), area #nothing)

def pick (i: i32) (x: f64) : shape =
  if i == 0 then #circle x else if i == 1 then #square x else if i == 2 then #rectangle x (x + 1) else #nothing

-- ==
-- entry: dynamic
-- input { 0i32 2.0 } output { 12.0 }
-- input { 1i32 2.0 } output { 4.0 }
-- input { 2i32 2.0 } output { 6.0 }
-- input { 3i32 2.0 } output { 0.0 }
entry dynamic (i: i32) (x: f64) = area (pick i x)

-- ==
-- entry: mapped
-- input { [0i32, 1i32, 2i32, 3i32] [1.0, 2.0, 3.0, 4.0] } output { [3.0, 4.0, 12.0, 0.0] }
entry mapped [n] (is: [n]i32) (xs: [n]f64) = map area (map2 pick is xs)

-- ==
-- entry: literals
-- input { 1i32 } output { 10i32 }
-- input { 2i32 } output { 20i32 }
-- input { 7i32 } output { 7i32 }
entry literals (x: i32) =
  match x
  case 1 -> 10
  case 2 -> 20
  case y -> y

-- ==
-- entry: pairs
-- input { 0i32 true } output { 1i32 }
-- input { 0i32 false } output { 2i32 }
-- input { 5i32 false } output { 5i32 }
entry pairs (x: i32) (b: bool) =
  match (x, b)
  case (0, true) -> 1
  case (0, _) -> 2
  case (y, _) -> y

type opt 'a = #some a | #none

def find 'a [n] (p: a -> bool) (xs: [n]a) : opt a =
  loop found : opt a = #none for x in xs do
    match found
    case #some _ -> found
    case #none -> if p x then #some x else #none

-- ==
-- entry: found
-- input { [1i32, 5i32, 7i32] } output { 5i32 }
-- input { [1i32] } output { -1i32 }
entry found [n] (xs: [n]i32) =
  match find (> 3) xs
  case #some x -> x
  case #none -> -1

-- ==
-- entry: nested
-- input { 3i32 } output { 3i32 }
-- input { 0i32 } output { -1i32 }
entry nested (x: i32) =
  let v: opt (opt i32) = if x == 0 then #some #none else #some (#some x)
  in match v
     case #some (#some y) -> y
     case #some #none -> -1
     case #none -> -2

-- ==
-- entry: arrays
-- input { true [1i32, 2i32] } output { 3i32 }
-- input { false [1i32, 2i32] } output { 7i32 }
entry arrays [n] (b: bool) (xs: [n]i32) =
  let v: #all ([n]i32) | #one i32 = if b then #all xs else #one 7
  in match v
     case #all ys -> i32.sum ys
     case #one y -> y

-- ==
-- entry: reduced
-- input { [1i32, -1i32, 3i32] } output { 3i32 }
entry reduced [n] (xs: [n]i32) =
  let larger (a: opt i32) (b: opt i32) : opt i32 =
    match (a, b)
    case (#some x, #some y) -> #some (i32.max x y)
    case (#some _, #none) -> a
    case _ -> b
  in match reduce larger #none (map (\x -> if x > 0 then #some x else #none) xs)
     case #some x -> x
     case #none -> 0

-- ==
-- entry: compared
-- input { 1i32 } output { true false false }
entry compared (x: i32) =
  let a: opt i32 = if x > 0 then #some x else #none
  in (a == #some 1, a == #some 2, a == #none)
