-- Maps over products of sizes, whose points look at the digits of their index.

-- The rows of a sparse Jacobian, whose columns are cases.
-- ==
-- entry: packed
-- input { [1.0, 2.0] [10i32, 20i32] }
-- output { [10i32, 11i32, 12i32, 7i32, 10i32, 11i32, 12i32, 8i32, 20i32, 21i32, 22i32, 7i32, 20i32, 21i32, 22i32, 8i32, 0i32, 1i32]
--          [1.0, 2.0, 1.0, 0.5, 3.0, 4.0, 2.0, 0.25, 2.0, 4.0, 4.0, 0.5, 4.0, 6.0, 8.0, 0.25, -1.0, -2.0] }
-- input { empty([0]f64) empty([0]i32) } output { empty([0]i32) empty([0]f64) }
entry packed [p] (ws: [p]f64) (obs: [p]i32) =
  let rows = map (\w -> (w, w + w, w * w, w + 2, w * 2 + 2, w * w * 2)) ws
  let column i =
    let o = i / 8
    let row = i / 4
    let j = i % 4
    let (a, b, c, d, e, f) = rows[row / 2]
    let value = match j
                case 0 -> if row % 2 == 0 then a else d
                case 1 -> if row % 2 == 0 then b else e
                case 2 -> if row % 2 == 0 then c else f
                case _ -> if row % 2 == 0 then 0.5 else 0.25
    in if j < 3 then (obs[o] + i32.i64 j, value) else (i32.i64 (7 + row % 2), value)
  in unzip (tabulate (p * 2 * 4) column ++ tabulate p (\o -> (i32.i64 o, -ws[o])))

-- Reads that are out of bounds fail as they did.
-- ==
-- entry: outside
-- input { [1i64, 2i64, 3i64] 3i64 } output { [1i64, 2i64, 2i64, 3i64, 3i64, 4i64] }
-- input { [1i64, 2i64, 3i64] 4i64 } error: index
-- input { [1i64, 2i64, 3i64] 0i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] -1i64 } error: size
entry outside (xs: []i64) (n: i64) = tabulate (n * 2) (\i -> xs[i / 2] + i % 2)

-- ==
-- entry: late_outside
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [1i64, 4i64, 2i64, 5i64] }
-- input { [1i64, 2i64, 3i64] 2i64 } error: index
-- input { empty([0]i64) 0i64 } output { empty([0]i64) }
entry late_outside (xs: []i64) (n: i64) = tabulate (n * 2) (\i -> if i % 2 == 0 then xs[i / 2] else xs[i / 2 + 2] + 1)

-- Two arrays in turn, as integers of other types, and by an index that is used as it is.
-- ==
-- entry: in_turn
-- input { [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] }
-- output { [1i64, 10i64, 2i64, 20i64, 3i64, 30i64] [0i32, 0i32, 0i32, 1i32, 1i32, 1i32] [0i64, 1i64, 3i64, 4i64, 6i64, 7i64] }
entry in_turn [n] (xs: [n]i64) (ys: [n]i64) =
  (tabulate (2 * n) (\i -> if i % 2 == 0 then xs[i / 2] else ys[i / 2]),
   tabulate (n * 2) (\i -> i32.i64 i / 3),
   tabulate (n * 2) (\i -> i + i / 2))

-- Digits of digits, in nested maps, and for derivatives.
-- ==
-- entry: digits
-- input { 2i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 10i64, 11i64, 100i64, 101i64, 102i64, 103i64, 110i64, 111i64]
--          [0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64] }
entry digits (n: i64) =
  (tabulate (n * 6) (\i -> 100 * (i / 6) + 10 * (i % 6 / 4) + (if i % 6 / 4 == 0 then i % 6 else i % 6 % 4)), tabulate (n * 6) (\i -> i % 6 % 3))

-- ==
-- entry: in_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 1.0, -1.0, 2.0, 2.0, -2.0], [3.0, 3.0, -3.0, 4.0, 4.0, -4.0]] }
-- input { empty([0][2]f64) } output { empty([0][6]f64) }
entry in_rows [n][m] (xss: [n][m]f64) = map (\xs -> tabulate (m * 3) (\i -> if i % 3 == 2 then -xs[i / 3] else xs[i / 3])) xss

-- ==
-- entry: gradient
-- input { [1.0, 2.0] [1.0, 10.0, 100.0, 1000.0] } output { [21.0, 4100.0] }
entry gradient [n] (xs: [n]f64) (seed: [n * 2]f64) =
  vjp (\xs -> tabulate (n * 2) (\i -> if i % 2 == 0 then xs[i / 2] else xs[i / 2] * xs[i / 2])) xs seed

-- The arrays that the pass makes can be updated.
-- ==
-- entry: updated
-- input { [1i64, 2i64] 3i64 } output { [1i64, 0i64, 2i64, 7i64] [0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
entry updated [n] (xs: [n]i64) (k: i64) =
  let ys = tabulate (n * 2) (\i -> if i % 2 == 0 then xs[i / 2] else 0)
  let zs = tabulate (n * 3) (\i -> i % 3 / 3)
  in (ys with [k] = 7, zs)
