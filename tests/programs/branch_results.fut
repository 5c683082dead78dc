-- Arrays that a branch yields as they are, made where the result goes if that branch will be taken, and those that cannot be.

-- Rows, or the rows turned round: a gradient by columns whose last ones come first.
-- ==
-- entry: rotated
-- input { [1.0, 2.0, 3.0] 0i64 } output { [1.0, 4.0, 9.0, 2.0, 4.0, 6.0] }
-- input { [1.0, 2.0, 3.0] 2i64 } output { [9.0, 2.0, 4.0, 6.0, 1.0, 4.0] }
-- input { empty([0]f64) 0i64 } output { empty([0]f64) }
entry rotated [n] (xs: [n]f64) (k: i64) =
  let ys = tabulate_2d 2 n (\i j -> if i == 0 then xs[j] * xs[j] else 2 * xs[j])
  let flat = flatten ys
  in if k == 0 then flat else rotate k flat

-- On the other side, and by another order in memory.
-- ==
-- entry: turned
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] 0i64 } output { [[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]] }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] 1i64 } output { [[4.0, 7.0], [3.0, 6.0], [2.0, 5.0]] }
entry turned [n] [m] (xss: [n][m]f64) (k: i64) : [m][n]f64 =
  let yss = map (\i -> map (\xs -> xs[i] + 1) xss) (iota m)
  in if k > 0 then reverse yss else yss

-- Both branches yield it; what one yields is of the caller, or wanted elsewhere, too; the condition is known too late.
-- ==
-- entry: others
-- input { [1.0, 2.0] 0i64 } output { [2.0, 3.0] [1.0, 2.0] [2.0, 3.0] [2.0, 3.0] [3.0, 2.0] [2.0, 3.0] }
-- input { [1.0, 2.0] 1i64 } output { [3.0, 2.0] [2.0, 1.0] [3.0, 2.0] [2.0, 3.0] [2.0, 3.0] [2.0, 3.0] }
entry others [n] (xs: [n]f64) (k: i64) =
  let ys = map (+ 1) xs
  let of_caller = if k == 0 then xs else reverse xs
  let shown = if k == 0 then ys else reverse ys
  let late = map (+ 1) xs
  let total = f64.sum (map2 (*) (map f64.i64 (indices late)) late)
  in (shown, of_caller, if k == 0 then ys else reverse ys, ys, if total > 1 && k == 0 then reverse late else late, late)

-- One that is only read by the branches, whose sizes the caller does not know, and whose condition follows from what is made.
-- ==
-- entry: late
-- input { [1.0, 2.0, 5.0] } output { [1.0, 2.0, 5.0] }
-- input { [3.0, 2.0, 5.0] } output { [5.0, 2.0, 3.0] }
entry late [n] (xs: [n]f64) : []f64 =
  let ys = map (\x -> x * 2 / 2) xs
  let sorted = and (map (\i -> ys[i] <= ys[i + 1]) (iota (n - 1)))
  in if sorted then ys else reverse ys

-- Of sizes that are to be checked.
-- ==
-- entry: checked
-- input { [1.0, 2.0] 2i64 } output { [2.0, 3.0] }
-- input { [1.0, 2.0] 1i64 } error: size
-- input { [1.0, 2.0] -2i64 } error: size
entry checked [n] (xs: [n]f64) (m: i64) : [m]f64 =
  let ys = map (+ 1) xs
  let zs = if m > 0 then ys else reverse ys
  in zs :> [m]f64

-- The result is updated behind the branch.
-- ==
-- entry: updated
-- input { [1.0, 2.0] 0i64 } output { [7.0, 3.0] }
-- input { [1.0, 2.0] 1i64 } output { [7.0, 2.0] }
entry updated [n] (xs: [n]f64) (k: i64) : *[n]f64 =
  let ys = map (+ 1) xs
  let zs = if k == 0 then copy ys else reverse ys
  in zs with [0] = 7

-- | Sums of rows, which are made where the last part's are.
-- ==
-- entry: sums_of_rows
-- input { [[3.0, 3.0, -5.0], [0.0, 4.0, -4.0], [6.0, 6.0, 5.0], [4.0, 1.0, 6.0]] 1i64 } output { [13.0, -1.0, 2.0] }
-- input { [[3.0, 3.0, -5.0], [0.0, 4.0, -4.0], [6.0, 6.0, 5.0], [4.0, 1.0, 6.0]] 9i64 } output { [13.0, 14.0, 2.0] }
entry sums_of_rows [n] [m] (zss: [n][m]f64) (at: i64) : [m]f64 =
  let sums = reduce (map2 (\x y -> (x + y) % 64)) (replicate m 0) zss
  in if at < m then copy sums with [at] = -1 else sums
