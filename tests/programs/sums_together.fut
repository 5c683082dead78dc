-- Sums that a thread folds, of the same summands: by threads of their own, of a matrix that is turned, where that pays, or several at a time.

-- | A row for each point, of different lengths, every seventh of them empty.
def begins (n: i64) : [n + 1]i64 = opaque (scan (+) 0 (map (\i -> if i % 7 < 2 then 0 else i % 5) (iota (n + 1))))

def column (m: i64) (j: i64) : i64 = (j * j + 3) % m
def value (j: i64) : f32 = f32.i64 (j % 7 - 3)

def sums [k] [m] (begins: []i64) (columns: []i64) (values: []f32) (yss: [k][m]f32) (i: i64) : [k]f32 =
  map (\ys -> loop s = 0 for j < begins[i + 1] - begins[i] do let at = begins[i] + j in s + (values[at] - 2 * ys[columns[at]]) * values[at]) yss

-- | Small integers, so that the order of additions does not matter.
def matrix (k: i64) (m: i64) : [k][m]f32 = opaque (tabulate_2d k m (\c j -> f32.i64 ((c * 5 + j * 3 + c * j) % 11)))

def nearest [k] (ds: [k]f32) : (f32, i64) =
  reduce_comm (\(x, i) (y, j) -> if y < x || (y == x && j < i) then (y, j) else (x, i)) (f32.inf, -1) (zip ds (iota k))

-- Columns and members for which threads of their own pay, and too many; fewer members than are taken at a time, as many, and more; one and none;
-- no points.
-- ==
-- entry: winners
-- input { 40i64 10i64 9i64 } output { true }
-- input { 300i64 16i64 70i64 } output { true }
-- input { 40i64 35i64 640i64 } output { true }
-- input { 40i64 35i64 641i64 } output { true }
-- input { 40i64 16i64 641i64 } output { true }
-- input { 40i64 1i64 641i64 } output { true }
-- input { 10i64 256i64 5i64 } output { true }
-- input { 10i64 257i64 5i64 } output { true }
-- input { 40i64 1i64 5i64 } output { true }
-- input { 40i64 0i64 5i64 } output { true }
-- input { 40i64 0i64 641i64 } output { true }
-- input { 0i64 5i64 5i64 } output { true }
entry winners (n: i64) (k: i64) (m: i64) : bool =
  let begins = begins n
  let total = begins[n]
  let columns = opaque (map (column m) (iota total))
  let values = opaque (map value (iota total))
  let yss = matrix k m
  let found = map (\i -> let (d, c) = nearest (sums begins columns values yss i) in (d, c)) (iota n)
  let expected i = loop (d, c) = (f32.inf, -1) for c' < k do
                     let s = loop s = 0 for at in begins[i]..<begins[i + 1] do s + (value at - 2 * yss[c', column m at]) * value at
                     in if s < d then (s, c') else (d, c)
  in and (map2 (\i (d, c) -> let (d', c') = expected i in d == d' && c == c') (iota n) found)

-- A reduction by a library, whose elements are folds; of f64, eight at a time.
-- ==
-- entry: total
-- input { 40i64 10i64 9i64 } output { true }
-- input { 40i64 9i64 641i64 } output { true }
-- input { 0i64 8i64 5i64 } output { true }
entry total (n: i64) (k: i64) (m: i64) : bool =
  let columns = opaque (map (column m) (iota n))
  let yss = opaque (map (map f64.f32) (matrix k m))
  let found = f64.sum (map (\i -> f64.maximum (map (\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n))
  let expected = loop t = 0 for i < n do t + f64.maximum (map (\ys -> loop s = 0 for j < i do s + ys[column m j]) yss)
  in found == expected || (k == 0 && n > 0)

-- A column that is not there.
-- ==
-- entry: missing
-- input { [0i64, 1i64, 2i64] } output { [0f32, 10f32, 14f32] }
-- input { [0i64, 3i64, 1i64] } error: index 3 out of bounds
entry missing [n] (columns: [n]i64) : [n]f32 =
  let yss = matrix 6 3
  in map (\i -> f32.maximum (map (\ys -> loop s = 0 for j < i do s + ys[columns[j]]) yss)) (iota n)
