-- Scans that one nest reads, in order and from the end, which blocks do part by part.

-- | Composition of affine functions: it does not commute.
def compose (a: f64, b: f64) (c: f64, d: f64) : (f64, f64) = (a * c, b * c + d)

def both (x: f64) (y: f64) : f64 = x + y + x * y

-- Each element's adjoint is the product of the others' (1 + x), by the logarithm of all of them.
-- ==
-- entry: others
-- input { 5000i64 } output { true }
-- input { 2304i64 } output { true }
-- input { 2305i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry others (n: i64) : bool =
  let xs = map (\i -> f64.i64 (i * 7 % 5) / 64 - 0.03125) (iota n)
  let adjoints = vjp (reduce both 0) xs 1
  let log = f64.sum (map (\x -> f64.log (1 + x)) xs)
  in and (map2 (\x y -> f64.abs (y / f64.exp (log - f64.log (1 + x)) - 1) < 1e-9) xs adjoints)

-- ==
-- entry: product
-- input { [2.0, 3.0, 0.5, -4.0] } output { [-6.0, -4.0, -24.0, 3.0] }
-- random input { [4700]f64 }
entry product [n] (xs: [n]f64) : [n]f64 = vjp f64.product xs 1

-- ==
-- entry: chain
-- input { [2f64, 3f64] [1f64, 5f64] 1f64 1f64 } output { [3f64, 3f64] [3f64, 1f64] }
-- random input { [2600]f64 [2600]f64 f64 f64 }
entry chain [n] (as: [n]f64) (bs: [n]f64) (a_adj: f64) (b_adj: f64) : ([n]f64, [n]f64) =
  vjp (\(as, bs) -> reduce compose (1, 0) (zip as bs)) (as, bs) (a_adj, b_adj)

-- What is scanned is needed besides, as it is and from the other end.
-- ==
-- entry: kept
-- input { 5i64 } output { [-20i64, -19i64, -15i64, -8i64, 2i64] [0i64, 1i64, 3i64, 6i64, 10i64] [10i64, 10i64, 9i64, 7i64, 4i64] }
-- input { 2500i64 }
entry kept (n: i64) : ([n]i64, [n]i64, [n]i64) =
  let xs = map (\i -> i % 1000) (iota n)
  let before = scan (+) 0 xs
  let behind = reverse (scan (+) 0 (reverse xs))
  in (map2 (\a b -> a - 2 * b) before behind, before, behind)

-- The nest writes to places.
-- ==
-- entry: to_places
-- input { 5i64 } output { [4010i64, 4006i64, 4003i64, 4001i64, 4000i64] }
-- input { 2400i64 }
entry to_places (n: i64) : [n]i64 =
  let xs = map (\i -> i % 1000) (iota n)
  let before = scan (+) 0 xs
  let behind = reverse (scan (i64.max) (-1) (reverse xs))
  in scatter (replicate n 0) (map (\i -> n - 1 - i) (iota n)) (map2 (\a b -> a + 1000 * b) before behind)

-- Integers of one byte, which lie side by side.
-- ==
-- entry: bytes
-- random input { [3000]i8 }
entry bytes [n] (xs: [n]i8) : [n]i8 =
  map2 (\a b -> a ^ (b * 3)) (scan (*) 1 (map (| 1) xs)) (reverse (scan (+) 0 (reverse (map (| 1) xs))))

-- In a loop, whose steps have arrays of several sizes.
-- ==
-- entry: steps
-- input { 2400i64 3i64 }
entry steps (n: i64) (k: i64) : f64 =
  loop s = 1 for i < k do
    let xs = map (\j -> 1 + f64.i64 (j % 3) / 65536) (iota (n + i))
    in s + f64.sum (vjp f64.product xs s)

-- In parts of the program's own, of which blocks do not have as many threads.
-- ==
-- entry: own_parts
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] } output { [0i64, 1i64, 3i64, 0i64, 4i64, 9i64, 0i64] }
entry own_parts [n] (xs: [n]i64) : [n]i64 =
  #[unsafe] tabulate n (\i -> let first = i / 3 * 3 in i64.sum (map (\j -> xs[first + j]) (iota (i - first))))

-- Truth values beside numbers: what threads that get no total have in its place is none.
-- ==
-- entry: products_by_key_vjp
-- input { [1i64, 0i64, 1i64, 3i64, 1i64] [2f64, 3f64, 5f64, 6f64, 7f64] [1f64, 2f64] [1f64, 10f64] }
-- output { [700f64, 1f64, 280f64, 0f64, 200f64] [3f64, 700f64] }
entry products_by_key_vjp [n] [k] (keys: [n]i64) (xs: [n]f64) (before: [k]f64) (seed: [k]f64) : ([n]f64, [k]f64) =
  vjp (\(xs, before) -> reduce_by_index (copy before) (*) 1 keys xs) (xs, before) seed
