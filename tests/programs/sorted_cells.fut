-- Adjoints of histograms whose operator has no rule of its own: the return sweep sorts values by their cells.

def both (x: f64) (y: f64) : f64 = x + y + x * y

def joined [k] [n] (start: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 = reduce_by_index (copy start) both 0 is xs

-- What the cells start with counts, too; values out of bounds do not.
-- ==
-- entry: from_start
-- input { [1.0, 0.5, -0.5] [0i64, 2i64, 0i64, -1i64, 3i64, 2i64] [2.0, 3.0, 1.0, 4.0, 5.0, 0.0] [1.0, 10.0, 100.0] }
-- output { [6.0, 10.0, 400.0] [4.0, 50.0, 6.0, 0.0, 0.0, 200.0] }
entry from_start [k] [n] (start: [k]f64) (is: [n]i64) (xs: [n]f64) (seed: [k]f64) : ([k]f64, [n]f64) =
  vjp (\(start, xs) -> joined start is xs) (start, xs) seed

-- More cells than two digits of eight bits have, and then one digit.
-- ==
-- entry: spread
-- input { 70000i64 500i64 } output { true }
-- input { 3i64 700i64 } output { true }
-- input { 300i64 2000i64 } output { true }
-- input { 5i64 0i64 } output { true }
-- input { 0i64 9i64 } output { true }
entry spread (k: i64) (n: i64) : bool =
  let is = map (\i -> (i * 7919 + i / 3) % (k + 1)) (iota n)
  let xs = map (\i -> f64.i64 (i % 5) / 8 - 0.125) (iota n)
  let seed = map (\c -> 1 + f64.i64 (c % 3)) (iota k)
  let adjoints = vjp (joined (replicate k 0) is) xs seed
  -- The product of all others' (1 + x), by the sum of its logarithms.
  let logs = reduce_by_index (replicate k 0) (+) 0 is (map (\x -> f64.log (1 + x)) xs)
  let expected = map2 (\i x -> if i < k then seed[i] * f64.exp (logs[i] - f64.log (1 + x)) else 0) is xs
  in f64.maximum (map2 (\x y -> f64.abs (x - y) / (1 + f64.abs y)) adjoints expected) < 1e-9 || n == 0

-- Rows of cells, of which each thread has its own: no library sorts there.
-- ==
-- entry: in_rows
-- input { [[0i64, 1i64, 0i64], [1i64, 1i64, 5i64], [-1i64, 0i64, 1i64]] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] [1.0, 10.0] }
-- output { [[4.0, 10.0, 2.0], [60.0, 50.0, 0.0], [0.0, 1.0, 10.0]] }
entry in_rows [m] [n] (iss: [m][n]i64) (xss: [m][n]f64) (seed: [2]f64) : [m][n]f64 =
  map2 (\is xs -> vjp (\xs -> reduce_by_index (replicate 2 0) both 0 is xs) xs seed) iss xss

-- In a loop whose number of steps is data; a step's cells are the start of the next. How infinities are combined is left open.
-- ==
-- entry: steps
-- input { 2i64 [0i64, 1i64, 2i64, 1i64] [1.0, 2.0, 3.0, 0.5] }
-- output { [1296.0, 864.0, 648.0, 1728.0] }
entry steps [n] (count: i64) (is: [n]i64) (xs: [n]f64) : [n]f64 =
  let run (xs: [n]f64) : f64 =
    let cells = loop cells = replicate 3 0 for _i < count do reduce_by_index cells both 0 is (map (f64.min 4 <-< f64.max (-0.5)) xs)
    in f64.product (map (+ 1) cells)
  in vjp run xs 1

-- The adjoint of the adjoint.
-- ==
-- entry: second
-- input { [0i64, 1i64, 0i64, 0i64] [1.0, 2.0, 3.0, 0.5] [1.0, 1.0] [1.0, 0.0, 0.0, 0.0] }
-- output { [0.0, 0.0, 1.5, 4.0] }
entry second [n] [k] (is: [n]i64) (xs: [n]f64) (seed: [k]f64) (direction: [n]f64) : [n]f64 =
  vjp (\xs -> vjp (joined (replicate k 0) is) xs seed) xs direction
