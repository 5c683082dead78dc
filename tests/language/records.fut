-- Records: construction, puns, projection, update, patterns, arrays of records.

type point = {x: f64, y: f64}
type ball = {at: point, r: f64, tag: (i32, bool)}

-- ==
-- entry: updated
-- input { 1f64 2f64 } output { 1f64 5f64 2f64 7 true }
entry updated (x: f64) (y: f64) =
  let p : point = {x, y}
  let b : ball = {at = p, r = p.y, tag = (3, true)}
  let moved = b with at.y = b.at.y + 3 with tag.0 = 7
  let {at = {x = new_x, y = new_y}, r, tag = (n, flag)} = moved
  in (new_x, new_y, r, n, flag)

-- ==
-- entry: arrays
-- input { [1f64, 2f64] [3f64, 4f64] } output { [4f64, 6f64] [1f64, 9f64] [3f64, 4f64] }
entry arrays [n] (xs: [n]f64) (ys: [n]f64) =
  let ps = map2 (\x y : point -> {x, y}) xs ys
  let qs = copy ps with [1] = {x = 9, y = 9}
  in (map (\{x, y} -> x + y) ps, map (.x) qs, map (.y) ps)
