-- Arrays of units hold no data, but have sizes.

type mark [n] = [n]()

def marks (n: i64) : mark [n] = replicate n ()

def size_of [n] (_: mark [n]) : i64 = n

-- ==
-- entry: sizes
-- input { 3i64 } output { 3i64 6i64 12i64 2i64 }
entry sizes (n: i64) =
  let both [a] [b] (xs: mark [a]) (ys: mark [b]) = marks (a + b)
  let m = both (marks n) (marks n)
  in (size_of (marks n), size_of m, size_of (both m m), size_of (tail (marks n)))

-- Sizes can carry numbers through types alone.
def area [w] [h] (_: [0][w]()) (_: [0][h]()) : [0][w * h]() = []
def number [k] (_: [0][k]()) : i64 = k
def as_type (k: i64) : [0][k]() = []

-- ==
-- entry: product
-- input { 6i64 7i64 } output { 42i64 }
entry product (n: i64) (m: i64) = number (area (as_type n) (as_type m))

-- ==
-- entry: through_control
-- input { true 4i64 } output { 4i64 16i64 }
-- input { false 4i64 } output { 1i64 8i64 }
entry through_control (c: bool) (n: i64) =
  let chosen = if c then marks n else [()]
  let doubled = loop xs = chosen for _i < n / 2 do concat xs (if c then marks (length xs) else xs[0:0] ++ [(), ()] ++ marks 1)
  in (length chosen, if c then length doubled else length doubled + 1)

-- ==
-- entry: counted
-- input { [1, 2, 3] } output { 3i64 [true, true, true] true }
entry counted [n] (xs: [n]i32) =
  let us = map (\_ -> ()) xs
  let pairs = zip us xs
  in (length (map (.0) pairs), map (\u -> u == ()) us, us == replicate n ())

-- ==
-- entry: alone
-- input { }
-- output { 1 }
entry alone () : (i32, ()) = (1, ())
