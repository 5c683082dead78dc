-- Rows of points that are columns of the result: tiles of points, whose number and length need not be those of tiles or vectors.

def one_hot (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))

-- Three numbers for each point, of the parameter that it picks: the Jacobian's rows are the parameters.
def features [m] [n] (is: [n]i64) (xs: [m]f64) : [n][3]f64 = map (\i -> let x = xs[i] in [x * x, 3 * x, x * x * x]) is

-- ==
-- entry: jacobian
-- input { [2i64, 0i64, 2i64] [1.0, 2.0, 3.0] }
-- output { [[0.0, 0.0, 0.0, 2.0, 3.0, 3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
--            [6.0, 3.0, 27.0, 0.0, 0.0, 0.0, 6.0, 3.0, 27.0]] }
-- input { empty([0]i64) [1.0, 2.0] } output { empty([2][0]f64) }
-- input { [0i64, 1i64, 2i64, 0i64] [1.0, 2.0] } error: out of bounds
entry jacobian [m] [n] (is: [n]i64) (xs: [m]f64) : [m][n * 3]f64 =
  map (\l -> flatten (jvp (features is) xs (one_hot m l))) (iota m)

-- The same of many points, against what it is.
-- ==
-- entry: jacobian_is_right
-- input { 1i64 1i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 37i64 7i64 } output { true }
-- input { 1000i64 26i64 } output { true }
entry jacobian_is_right (n: i64) (m: i64) : bool =
  let is = tabulate n (\i -> (i * i + 3) % m)
  let xs = tabulate m (\l -> f64.i64 (l + 1))
  let expected = tabulate_3d m n 3 (\l i j -> if is[i] != l then 0
                                              else if j == 0 then 2 * xs[l] else if j == 1 then 3 else 3 * xs[l] * xs[l])
  in and (map2 (\xs ys -> and (map2 (==) xs (flatten ys))) (jacobian is xs) expected)

-- Of f32: derivatives of a product by each of its factors.
-- ==
-- entry: products_are_right
-- input { 1i64 1i64 } output { true }
-- input { 35i64 6i64 } output { true }
-- input { 64i64 9i64 } output { true }
entry products_are_right (n: i64) (m: i64) : bool =
  let is = tabulate n (\i -> (5 * i + 1) % m)
  let xs = tabulate m (\l -> f32.i64 (l + 1))
  let picked (xs: [m]f32) = map (\i -> map (* f32.i64 i) [xs[i] * xs[0], xs[i]]) is
  let J = map (\l -> flatten (jvp picked xs (tabulate m (\k -> f32.bool (k == l))))) (iota m)
  let expected = tabulate_3d m n 2 (\l i j -> let hit = f32.bool (is[i] == l)
                                              in f32.i64 is[i] * (if j == 0 then hit * xs[0] + f32.bool (l == 0) * xs[is[i]] else hit))
  in and (map2 (\xs ys -> and (map2 (==) xs (flatten ys))) J expected)

-- The last column of a row comes first in the result; there may be none.
-- ==
-- entry: backwards
-- input { 3i64 0i64 } output { empty([0][3]f64) }
-- input { 2i64 2i64 } output { [[0.0, 2.0], [0.0, 1.0]] }
entry backwards (n: i64) (d: i64) : [d][n]f64 =
  reverse (transpose (tabulate n (\i -> let x = f64.i64 (i * i) in tabulate d (\j -> x * f64.i64 (j + 1)))))
