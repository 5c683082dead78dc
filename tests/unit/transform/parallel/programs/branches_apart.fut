-- Branches that add to the same cells from different points: flatten/branches_apart.hpp.

-- The margin is turned around, the rest is shifted.
-- nests: grid 1 add, grid 1 add
-- grid: additions once, additions apart
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry margin [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> if i < m then f64.sin xs[n - 1 - i] else if 0 < i then f64.cos xs[i - 1] else 0)) xs ys_adj

-- Two arrays.
-- nests: grid 1 add add, grid 1 add add
-- grid: additions once, additions apart
-- input [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry two [n] (xs: [n]f64) (zs: [n]f64) (m: i64) (ys_adj: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(xs: [n]f64, zs: [n]f64) -> tabulate n (\i -> if i < m then xs[n - 1 - i] * zs[n - 1 - i] else if 0 < i then xs[i - 1] * zs[i - 1] else 0)) (xs, zs) ys_adj

-- Points of one branch meet among themselves.
-- nests: grid 1 add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry meeting [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> if i < m then f64.sin xs[n - 1 - i] else if 0 < i then f64.cos xs[i / 2] else 0)) xs ys_adj

-- Nothing meets.
-- nests: grid 1 add
-- grid: additions once
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0]
entry apart [n][k] (xs: [k]f64) (m: i64) (ys_adj: [n]f64) : [k]f64 =
  vjp (\(xs: [k]f64) -> tabulate n (\i -> if i < m then f64.sin xs[2 * i] else f64.cos xs[2 * i + 1])) xs ys_adj

-- Which branch it is takes long to find out.
-- nests: grid 1 add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] [2.0, 3.0, 4.0, 5.0]
entry long [n] (xs: [n]f64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> if f64.exp (f64.sin (f64.cos (f64.i64 i))) < 2 then f64.sin xs[n - 1 - i] else if 0 < i then f64.cos xs[i - 1] else 0)) xs ys_adj

-- So they do in the other one.
-- nests: grid 1 add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry meeting_first [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> if i < m then f64.sin xs[i / 2] else if 0 < i then f64.cos xs[i - 1] else 0)) xs ys_adj

-- Points check before they branch.
-- nests: grid 1 add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
-- failing input [1.0, 2.0, 3.0, 4.0] 7i64 [2.0, 3.0, 4.0, 5.0]
entry checked [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> let k = assert (i + m < 7) m
                                         in if i < k then f64.sin xs[n - 1 - i] else if 0 < i then f64.cos xs[i - 1] else 0)) xs ys_adj

-- They add something else, too.
-- nests: grid 1 add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry beside [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> f64.sin xs[(i + m) % n] * (if i < m then f64.sin xs[n - 1 - i] else if 0 < i then f64.cos xs[i - 1] else 0)))
      xs ys_adj

-- The same with another array, before.
-- nests: grid 1 add add
-- grid: additions copies
-- input [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry beside_another [n] (xs: [n]f64) (zs: [n]f64) (m: i64) (ys_adj: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(xs: [n]f64, zs: [n]f64) ->
         tabulate n (\i -> (if i < m then xs[n - 1 - i] else xs[i - m]) + zs[n - 1 - i]))
      (xs, zs) ys_adj

-- Points store something, too.
-- nests: grid 1 add store, grid 1 store
-- grid: additions atomic, direct, direct
-- input [1.0, 2.0, 3.0, 4.0] 2i64 [2.0, 3.0, 4.0, 5.0]
entry with_results [n] (xs: [n]f64) (m: i64) (ys_adj: [n]f64) : [n]f64 =
  vjp (\(xs: [n]f64) -> tabulate n (\i -> xs[i] * (if i < m then xs[n - 1 - i] else xs[i - m]))) xs ys_adj

-- The branch that adds once to each cell comes first, though it is the other one, ...
-- nests: grid 1 add, grid 1 add
-- grid: additions once, additions apart
-- input [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]] [1i64, 1i64] 2i64 [2.0, 3.0, 4.0, 5.0]
entry once_first [n] (xss: [2][n]f64) (js: [2]i64) (m: i64) (ys_adj: [n]f64) : [2][n]f64 =
  vjp (\(xss: [2][n]f64) -> tabulate n (\i -> if i < m then xss[js[0], n - 1 - i] * xss[js[1], n - 1 - i] else if 0 < i then f64.cos xss[1, i - 1] else 0))
      xss ys_adj
