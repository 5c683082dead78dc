-- Tuples, records, patterns.

type point = {x: f64, y: f64}

def norm2 (p: point) = p.x * p.x + p.y * p.y

-- ==
-- entry: record
-- input { 3.0 4.0 } output { 25.0 }
entry record (x: f64) (y: f64) = norm2 {x, y}

-- ==
-- entry: updated
-- input { 3.0 4.0 } output { 17.0 3.0 }
entry updated (x: f64) (y: f64) =
  let p = {x, y}
  let q = p with x = 1.0
  in (norm2 q, p.x)

-- ==
-- entry: nested_update
-- input { 1i32 } output { 7i32 2i32 3i32 }
entry nested_update (a: i32) =
  let r = {inner = {a = a, b = 2i32}, c = 3i32}
  let s = r with inner.a = 7
  in (s.inner.a, s.inner.b, s.c)

-- ==
-- entry: swapped
-- input { 1i32 2.0 } output { 2.0 1i32 }
entry swapped (a: i32) (b: f64) =
  let (x, (y, _)) = (a, (b, true))
  in (y, x)

-- ==
-- entry: projections
-- input { [1.0, 2.0] [3.0, 4.0] } output { [3.0, 4.0] }
entry projections [n] (xs: [n]f64) (ys: [n]f64) = map (.1) (zip xs ys)

-- ==
-- entry: points
-- input { [3.0, 0.0] [4.0, 2.0] } output { [25.0, 4.0] [4.0, 2.0] }
entry points [n] (xs: [n]f64) (ys: [n]f64) =
  let ps = map2 (\x y -> {x, y}) xs ys
  in (map norm2 ps, map (.y) ps)

-- ==
-- entry: unit
-- input { 5i32 } output { 6i32 }
entry unit (x: i32) =
  let f () = x + 1
  in f ()

-- ==
-- entry: order_of_fields
-- input { 1i32 2i32 } output { 1i32 2i32 true }
entry order_of_fields (a: i32) (b: i32) =
  let r = {z = b, a = a}
  let {a = p, z = q} = r
  in (p, q, r == {a = a, z = b})

-- ==
-- entry: with_arrays
-- input { [1i32, 2i32] } output { [2i32, 4i32] 3i32 }
entry with_arrays [n] (xs: [n]i32) =
  let r = {values = xs, total = i32.sum xs}
  let s = r with values = map (* 2) r.values
  in (s.values, s.total)

-- ==
-- entry: equal_pairs
-- input { [1i32, 2i32] [1i32, 2i32] } output { true false }
-- input { [1i32, 2i32] [1i32, 3i32] } output { false true }
entry equal_pairs [n] (xs: [n]i32) (ys: [n]i32) = ((xs, 1i32) == (ys, 1), xs != ys)
