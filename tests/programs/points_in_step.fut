-- What stands around the sums of points that a CPU computes several at a time: each point keeps what is its own.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- | Loops that are longer for some points.
entry lengths [n] [d] (ns: [n]i32) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map2 (\m x -> let y = dot q x in loop y for i < i32.min 9 m do y * 0.5 + f64.i32 i) ns xs

-- | A matrix of each point, whose rows are read in another order.
entry differences [n] [k] [d] (centres: [k][d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x ->
         let zs = map (\c -> map2 (-) x c) centres
         in f64.sum (map (\i -> f64.sum (map (\j -> let (a, b) = (dot zs[i] zs[j], dot zs[j] x) in a * a - b * b) (iota k))) (iota k)))
      xs

-- | What all points subtract from, and add to, one element.
entry shifted [n] [d] (bs: [3]f64) (q: [d]f64) (xs: [n][d]f64) : ([3]f64, [d]f64) =
  vjp (\(bs, q) -> f64.sum (map (\x -> let y = dot q x - bs[1] in y * y * bs[2]) xs)) (bs, q) 1

-- | Elements of their own to which points add.
entry bins [n] [d] (k: i64) (is: [n]i64) (q: [d]f64) (xs: [n][d]f64) : []f64 =
  reduce_by_index (replicate (i64.max 1 (i64.min k 5)) 1) (+) 0 is (map (dot q) xs)

-- | Bins of products: points that meet take turns.
-- ==
-- entry: product_bins
-- input { [0i64, 1i64, 0i64, 0i64, 1i64] [1.0, 2.0] [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0], [3.0, -1.0], [1.0, 1.0]] }
-- output { [[[10.0, 0.0], [0.0, 10.0]], [[6.0, 2.0], [-2.0, 6.0]]] }
entry product_bins [n] [d] (is: [n]i64) (q: [d]f64) (xs: [n][d]f64) : [2][2][2]f64 =
  let product (a: [2][2]f64) (b: [2][2]f64) = map (\r -> map (\c -> dot r c) (transpose b)) a
  in reduce_by_index (replicate 2 [[1, 0], [0, 1]]) product [[1, 0], [0, 1]] is (map (\x -> let a = dot q x in [[a, x[1]], [-x[1], a]]) xs)

-- | Sums by an operator that is a loop.
-- ==
-- entry: by_halves
-- input { [0.5, 0.25, 0.25] [1.0, 2.0] [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0], [3.0, -1.0], [1.0, 1.0]] } output { 11.0 }
entry by_halves [n] [d] [k] (halves: [k]f64) (q: [d]f64) (xs: [n][d]f64) : f64 =
  reduce (\a b -> f64.sum (map (* a) halves) + b) 0 (map (dot q) xs)

-- | Branches that some points take, with arrays, sums and arithmetic in them.
entry branches [n] [d] (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x ->
         let y = dot q x
         let ws = if y > 0 then map (* 2) q else scan (+) 1 q
         let z = if y > 0.1 then y * 3 - dot x x else if y < -0.1 then y + 1 + f64.sum (map f64.abs x) else y * 5
         in dot ws x + z * 0.5)
      xs

-- | Elements that neighbouring points read at places of their own.
entry picked [n] [k] [d] (is: [n]i64) (yss: [k][n]f64) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map3 (\i j x -> let y = dot q x in if i >= 0 && i < k then y + (#[unsafe] yss[i, j]) * 2 else y) is (iota n) xs

-- | A row of each point to which its loop adds.
entry accumulated [n] [k] [d] (centres: [k][d]f64) (xs: [n][d]f64) : [n][d]f64 =
  map (\x -> loop row = map (* 0.5) x for i < k do let y = dot centres[i] x in map2 (\r c -> r + y * c) row centres[i]) xs

-- | Sums that begin with something else at each point, and what becomes of them in branches that all points take.
entry started [n] [d] (negative: bool) (bs: [n]f64) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map2 (\b x -> let y = loop s = b for j < d do s * 0.5 + q[j] * x[j]
                let z = if negative then y - f64.sum x else y
                in z * z + y) bs xs

-- | Two values that only some points change, one of them alike for all of those.
entry chosen [n] [d] (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x -> let y = dot q x
             let (w, z) = if y > 0.1 then (3, f64.sum (map f64.abs x)) else (5, dot x x)
             in dot (map (* w) q) x + z) xs

-- | What a loop carries from one iteration to the next and is alike for all points at first.
entry carried [n] [d] (k: i64) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x -> let y = dot q x
             let (a, b, _) = loop (a, b, c) = (1, 2, 3) for _i < i64.min k 5 do (b, c, y)
             in dot (map (+ a) q) x + b) xs

-- | Rows of rows of rows.
entry cubes [n] [k] [l] [d] (q: [d]f64) (xs: [n][k][l][d]f64) : [n][k]f64 =
  map (map (\ys -> let a = f64.sum (map (dot q) ys) in if a > 0 then f64.sum (map (\y -> dot y y) ys) else a)) xs

-- | Rows that data of the points tell, in an inner loop.
entry told_rows [n] [k] [d] (is: [n]i64) (q: [d]f64) (yss: [k][d]f64) : [n]f64 =
  map (\i -> f64.sum (map (\j -> if k == 0 then 0 else dot q (#[unsafe] yss[i64.max 0 (i + j) % k])) (iota 5))) is

-- | A row that is the same for all points but for one element of each.
entry one_of_each [n] [d] (is: [n]i64) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map2 (\i x -> let i = if i < 0 then 0 else i % i64.max 1 d
                let z = if d == 0 then copy q else #[unsafe] copy q with [i] = 3
                in dot z x) is xs

-- | What all points change alike, in an operator that does not commute.
entry composed_alike [n] [d] (w: f64) (q: [d]f64) (xs: [n][d]f64) : (f64, f64) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (w, dot q x)) xs)

-- | Sums of columns, and elements that neighbouring points read in rows of their own.
entry of_own_rows [n] [k] (is: [n]i64) (q: [k]f64) (yss: [k][n]f64) (zss: [3][n]f64) : [n]f64 =
  map2 (\i j -> f64.sum (map2 (\a ys -> a * (#[unsafe] ys[j])) q yss) * (#[unsafe] zss[i % 3, j])) is (iota n)

-- | An operator with constants of its own, of what it has so far.
entry of_so_far [n] [d] (q: [d]f64) (xs: [n][d]f64) : f64 =
  reduce (\a b -> let t = f64.abs a
                  let u = t * t + t
                  in a + b + (u - u)) 0 (map (dot q) xs)
