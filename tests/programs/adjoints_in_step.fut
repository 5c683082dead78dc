-- Derivatives whose points a CPU computes several at a time: what points keep of their own, and add to what they share.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- | A matrix of each point, whose rows are added to one row.
-- ==
-- entry: weighed_rows
-- input { [1.0] [[1.0], [0.0]] [[0.0], [0.0]] } output { [0.0] }
-- random input { [3]f64 [2][3]f64 [5][3]f64 }
-- auto output
entry weighed_rows [n] [k] [d] (q: [d]f64) (centres: [k][d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x ->
         let zs = map (\c -> map2 (\a b -> f64.sin (a * b)) x c) centres
         let ys = map (dot q) zs
         let total = f64.sum (map f64.cos ys)
         in f64.sum (map2 (\y z -> y * f64.cos (total * dot q z)) ys zs)) xs)) q 1

-- | A row of each point that is read along and across the points; what is added is no product.
entry read_twice [n] [k] [d] (q: [d]f64) (centres: [k][d]f64) (xs: [n][d]f64) : ([d]f64, [k][d]f64) =
  vjp (\(q, centres) -> f64.sum (map (\x ->
         let zs = map (\c -> map2 (\a b -> a * b - f64.sin a) x c) centres
         let ys = map (dot q) zs
         in f64.sum (map2 (\i y -> f64.cos (y + (if d == 0 then 0 else #[unsafe] zs[i, d - 1]))) (iota k) ys)) xs)) (q, centres) 1

-- | Elements of a diagonal, which do not follow each other.
-- ==
-- entry: diagonal
-- input { [[1.0, 9.0], [9.0, 2.0]] [[0.0, 0.0]] } output { [[0.0, 0.0], [0.0, 0.0]] }
-- random input { [3][3]f64 [5][3]f64 }
-- auto output
entry diagonal [n] [d] (q: [d][d]f64) (xs: [n][d]f64) : [d][d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = map f64.sin x
                                in f64.cos (f64.sum (map (\i -> (#[unsafe] q[i, i]) * z[i]) (iota d))) * f64.sum (map2 (*) z (map f64.cos z))) xs)) q 1

-- | Elements of a row from its end.
entry from_the_end [n] [d] (q: [2][d]f64) (xs: [n][d]f64) : [2][d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = map f64.sin x
                                in f64.cos (f64.sum (map (\i -> (#[unsafe] q[1, d - 1 - i]) * z[i]) (iota d))) * f64.sum (map2 (*) z (map f64.cos z))) xs)) q 1

-- | A factor that all points share, in a branch that all take.
entry shared_factor [n] [d] (negative: bool) (w: f64) (p: [d]f64) (q: [d]f64) (xs: [n][d]f64) : ([d]f64, [d]f64) =
  vjp (\(p, q) -> f64.sum (map (\x -> let z = map f64.sin x in f64.cos (dot q z) * dot z z + (if negative then w * dot p z else 0)) xs)) (p, q) 1

-- | Sums of elements and constants of the point, which are no products.
entry sums_and_elements [n] [d] (q: [d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x ->
         let z = map f64.sin x
         in f64.cos (f64.sum (map2 (\r y -> (r + y) * (r + y)) q z)) * f64.sum (map2 (*) z (map f64.cos z))) xs)) q 1

-- | Arrays of a size that the program says, of which every point has its own.
entry of_known_size [n] (qs: [3][4]f64) (xs: [n][4]f64) : ([n][4]f64, [3][4]f64) =
  let f qs x = let y = map2 (\q i -> f64.cos (dot q x) + f64.i64 i) qs (iota 3)
               in map (\j -> f64.sum (map2 (\a q -> a * q[j]) y qs)) (iota 4)
  in (map (f qs) xs, vjp (\qs -> f64.sum (map (\x -> f64.sum (map f64.sin (f qs x))) xs)) qs 1)

-- | An element of its own that each point replaces in a row, which is read along and across the points.
entry replaced [n] [d] (is: [n]i64) (q: [d]f64) (xs: [n][d]f64) : ([n]f64, [d]f64) =
  let f q i x =
    let i = if i < 0 then 0 else i % i64.max 1 d
    let z = if d == 0 then x else #[unsafe] (map f64.sin x with [i] = 3)
    in f64.cos (dot q z) + (if d == 0 then 0 else #[unsafe] z[i])
  in (map2 (f q) is xs, vjp (\q -> f64.sum (map2 (f q) is xs)) q 1)

-- | A row of each point to which its loop adds, and that is added to a row of all points.
entry added_rows [n] [k] [d] (q: [d]f64) (centres: [k][d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = loop row = map f64.sin x for i < k do let y = dot centres[i] x in map2 (\r c -> r + y * c) row centres[i]
                                in f64.cos (dot q z)) xs)) q 1

-- | A row that a loop computes anew by arithmetic, and that is added to a row of all points.
entry multiplied_rows [n] [k] [d] (q: [d]f64) (centres: [k][d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = loop row = map f64.sin x for i < k do map2 (\r c -> r * c + 0.5) row centres[i]
                                in f64.cos (dot q z)) xs)) q 1

-- | An element that is set and read between the sums.
entry set_between [n] [d] (k: i64) (q: [d]f64) (xs: [n][d]f64) : [n]f64 =
  map (\x -> if d == 0 then 0 else
         let y = dot q x
         let z = #[unsafe] (map f64.sin x with [0] = f64.cos y)
         let a = #[unsafe] z[i64.max 0 (i64.min (d - 1) k)]
         in f64.sum (map2 (\b c -> b * a + c) q z)) xs

-- | Arrays of a known size in branches that some points take.
entry in_branches [n] (q: [4]f64) (xs: [n][4]f64) : [n]f64 =
  map (\x -> let y = dot q x
             let w = if y > 0 then let ws = scan (+) y x in ws[3] * ws[1] + dot ws (reverse ws) else 5
             in dot x (map (* w) q)) xs

-- | Places that data tell, to which points add.
entry by_place [n] [k] [d] (is: [n]i64) (ts: [k]f64) (q: [d]f64) (xs: [n][d]f64) : ([k]f64, [d]f64) =
  vjp (\(ts, q) -> f64.sum (map2 (\i x -> let y = dot q x in if i >= 0 && i < k then f64.cos (y * (#[unsafe] ts[i])) else f64.sin y) is xs)) (ts, q) 1

-- | Sums of two numbers, where others have products.
entry plain_sums [n] [d] (q: [d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = map f64.sin x
                                let a = f64.cos (dot z z)
                                in f64.sum (map2 (\r y -> r * (a + y)) q z)) xs)) q 1

-- | A loop that goes down to the first element.
entry downwards [n] [d] (q: [d]f64) (xs: [n][d]f64) : [d]f64 =
  vjp (\q -> f64.sum (map (\x -> let z = map f64.sin x
                                let a = f64.cos (dot z z)
                                let s = #[sequential] loop s = a for j < d do s + q[j] * z[j]
                                in s * s * a) xs)) q 1

-- | The row of `multiplied_rows`, of a size that the program says.
entry multiplied_rows_of_four [n] [k] (q: [4]f64) (centres: [k][4]f64) (xs: [n][4]f64) : [4]f64 = multiplied_rows q centres xs

-- | One of three places, to which each point adds.
entry by_one_of_three [n] [d] (is: [n]i64) (ts: [3]f64) (q: [d]f64) (xs: [n][d]f64) : ([3]f64, [d]f64) =
  vjp (\(ts, q) -> f64.sum (map2 (\i x -> f64.cos (dot q x * (#[unsafe] ts[i % 3]))) is xs)) (ts, q) 1

-- | Tangents in all directions, of a maximum inside of a sum.
-- ==
-- entry: of_maximum
-- random input { [1]i8 } output { true }
-- random input { [0]i8 } output { true }
-- random input { [16]i8 } output { true }
-- random input { [35]i8 } output { true }
entry of_maximum [n] (numbers: [n]i8) : bool =
  let xs = map f64.i8 numbers
  let f xs = f64.sum (map (\x -> f64.maximum (map (\y -> x * y) xs)) xs)
  let tangents = map (\i -> jvp f xs (map (\k -> if k == i then 1 else 0) (iota n))) (iota n)
  in and (map2 (==) tangents (vjp f xs 1))
