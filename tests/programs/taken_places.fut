-- Arrays that are made in the memory of others, and those that must not be, since somebody still reads what is there.

-- Each element from the one that was there.
-- ==
-- entry: own_elements
-- input { [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [0.0, 0.75, 2.0]] }
-- output { [374.8609630293023f64, 51.7157643964103f64, 61.76594584488197f64] }
entry own_elements [n] (xss: [n][n]f64) : [n]f64 =
  let yss = map (map f64.exp) xss
  let sums = map (\j -> f64.sum (map (\i -> yss[i, j] * xss[j, i]) (iota n))) (iota n)
  let zss = map (map2 (\s y -> y + s) sums) yss
  in map (\j -> f64.maximum (map (\i -> zss[i, (j + i) % n] * zss[j, i]) (iota n))) (iota n)

-- From the one on the other side of the diagonal.
-- ==
-- entry: other_elements
-- input { [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [0.0, 0.75, 2.0]] }
-- output { [37.03626273880612f64, 45.96788053206947f64, 346.11493010021206f64] }
entry other_elements [n] (xss: [n][n]f64) : [n]f64 =
  let yss = map (map f64.exp) xss
  let sums = map (\j -> f64.sum (map (\i -> yss[i, j] * xss[j, i]) (iota n))) (iota n)
  let zss = tabulate_2d n n (\i j -> yss[j, i] + sums[i])
  in map (\j -> f64.maximum (map (\i -> zss[i, (j + i) % n] * zss[j, i]) (iota n))) (iota n)

-- The array that was there is read later.
-- ==
-- entry: read_later
-- input { [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [0.0, 0.75, 2.0]] }
-- output { [367.47190693037163f64, 49.59876437979763f64, 61.39806640371053f64] }
entry read_later [n] (xss: [n][n]f64) : [n]f64 =
  let yss = map (map f64.exp) xss
  let sums = map (\j -> f64.sum (map (\i -> yss[i, j] * xss[j, i]) (iota n))) (iota n)
  let zss = map (map2 (\s y -> y + s) sums) yss
  in map (\j -> f64.maximum (map (\i -> zss[i, (j + i) % n] * zss[j, i] - yss[(i + j) % n, i]) (iota n))) (iota n)

-- Under another name, too, of which each point reads all.
-- ==
-- entry: two_names
-- input { [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [0.0, 0.75, 2.0]] }
-- output { [64.53606176778229f64, 25.8899800212772f64, 140.48156383466483f64] }
entry two_names [n] (xss: [n][n]f64) : [n]f64 =
  let yss = map (map f64.exp) xss
  let columns = transpose yss
  let zss = map2 (\ys column -> map (\y -> y + f64.maximum column) ys) yss columns
  in map (\j -> f64.maximum (map (\i -> zss[i, (j + i) % n] * zss[j, i]) (iota n))) (iota n)

def dot [d] (xs: [d]f64) (ys: [d]f64) : f64 = f64.sum (map2 (*) xs ys)

def bells [n] [k] [d] (xss: [n][d]f64) (qs: [k][d][d]f64) : f64 =
  f64.sum (map (\xs -> f64.sum (map (\q -> let ys = map (dot xs) q in f64.exp (-dot ys ys)) qs)) xss)

-- Half of the sums of w x x^T are added up, and completed where they are.
-- ==
-- entry: symmetric
-- input { [[0.5, -0.25, 0.125], [1.0, 0.5, -0.5]] [[[1.0, 0.5, 0.25], [0.0, 1.0, -0.5], [0.25, 0.0, 0.75]], [[0.5, 0.0, 0.0], [0.25, -0.5, 0.0], [1.0, 0.5, 0.25]]] }
-- output { [[[-0.6538016182051264f64, -0.02910088700880825f64, 0.10355086753224699f64], [-0.008257600925205388f64, -0.23320566361164494f64, 0.1759364478243844f64], [-0.12079806019195496f64, 0.09995477410835209f64, -0.059866323057269695f64]], [[-0.4067294324305326f64, -0.016306131439309035f64, 0.06307077763329835f64], [-0.18705858477595727f64, 0.09352929238797864f64, -0.04676464619398932f64], [-0.7982296074837251f64, -0.09514460348093196f64, 0.1711371535461646f64]]] }
entry symmetric [n] [k] [d] (xss: [n][d]f64) (qs: [k][d][d]f64) : [k][d][d]f64 = vjp (bells xss) qs 1

-- A part of an array that is made of two lies in that, which is read later.
-- ==
-- entry: part_of_another
-- input { true [0.1, 0.2, 0.4] } output { 9.92813069198909 }
-- input { false [0.1, 0.2, 0.4] } output { 0.0 }
entry part_of_another [n] (c: bool) (xs: [n]f64) : f64 =
  let (ws, s) =
    if c then
      let ys = map f64.exp xs
      let ws = ys ++ xs
      let t = f64.sum (map (\i -> ys[(i * 2) % n] * xs[i]) (iota n))
      let zs = map (+ t) ys
      in (ws, f64.maximum (map (\i -> zs[(i * 2) % n] * zs[i]) (iota n)))
    else (replicate (n + n) 0, 0)
  in s + f64.sum (map (\i -> ws[i] * ws[(i * 2) % n]) (iota n))
