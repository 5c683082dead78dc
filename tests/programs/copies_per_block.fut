-- Additions by many threads to few cells, of which each block has a copy, and to many, which have none. Numbers are whole, so that
-- the order of additions does not matter.

def small (i: i64) : f64 = f64.i64 (i % 7 - 2)

-- | Cells that elements of a vector find.
-- ==
-- entry: vector
-- random input { 3i64 [5]i8 } output { true }
-- random input { 0i64 [5]i8 } output { true }
-- random input { 1000i64 [3]i8 } output { true }
-- random input { 257i64 [7000]i8 } output { true }
entry vector [k] (n: i64) (cells: [k]i8) : bool =
  let n = if k == 0 then 0 else i64.max 0 n
  let bs = map f64.i8 cells
  let is = map (\i -> i * i % i64.max 1 k) (iota n)
  let adjoints = vjp (\bs -> map (\i -> let b = #[unsafe] bs[i] in b * b) is) bs (map small (iota n))
  in and (tabulate k (\b -> adjoints[b] == loop s = 0 for i < n do if is[i] == b then s + 2 * bs[b] * small i else s))

-- | Cells that elements of a matrix find.
-- ==
-- entry: matrix
-- random input { 3i64 2i64 [5]i8 } output { true }
-- random input { 0i64 2i64 [5]i8 } output { true }
-- random input { 2i64 0i64 [5]i8 } output { true }
-- random input { 700i64 3i64 [4]i8 } output { true }
-- random input { 3i64 300i64 [2]i8 } output { true }
-- random input { 40i64 70i64 [3]i8 } output { true }
-- random input { 30i64 40i64 [6500]i8 } output { true }
entry matrix [k] (n: i64) (m: i64) (cells: [k]i8) : bool =
  let (n, m) = if k == 0 then (0, 0) else (i64.max 0 n, i64.max 0 m)
  let bs = map f64.i8 cells
  let iss = tabulate_2d n m (\i j -> (i * i + 3 * j) % i64.max 1 k)
  let adjoints = vjp (\bs -> map (map (\i -> let b = #[unsafe] bs[i] in b * b)) iss) bs (tabulate_2d n m (\i j -> small (i + 2 * j)))
  in and (tabulate k (\b -> adjoints[b] == loop s = 0 for i < n do loop s for j < m do if iss[i, j] == b then s + 2 * bs[b] * small (i + 2 * j) else s))

-- | Values that a loop computes, from the start for each element of a row.
-- ==
-- entry: by_loops
-- random input { 3i64 2i64 [5]i8 } output { true }
-- random input { 300i64 70i64 [4]i8 } output { true }
-- random input { 30i64 40i64 [6500]i8 } output { true }
entry by_loops [k] (n: i64) (m: i64) (cells: [k]i8) : bool =
  let (n, m) = if k == 0 then (0, 0) else (i64.max 0 n, i64.max 0 m)
  let bs = map f64.i8 cells
  let iss = tabulate_2d n m (\i j -> (i * i + 3 * j) % i64.max 1 k)
  let weight j = loop w = 0 for t < 5 do w + small (t * j)
  let adjoints =
    vjp (\bs -> tabulate_2d n m (\i j -> (#[unsafe] bs[iss[i, j]]) * #[recompute] (loop w = 0 for t < 5 do w + small (t * j))))
        bs
        (tabulate_2d n m (\i j -> small (i + 2 * j)))
  in and (tabulate k (\b -> adjoints[b] == loop s = 0 for i < n do loop s for j < m do if iss[i, j] == b then s + weight j * small (i + 2 * j) else s))

-- | Cells of two arrays, of different length.
-- ==
-- entry: of_two
-- random input { 300i64 [5]i8 [3]i8 } output { true }
-- random input { 2i64 [1]i8 [40]i8 } output { true }
-- random input { 260i64 [2]i8 [7000]i8 } output { true }
entry of_two [k] [m] (n: i64) (cells: [k]i8) (others: [m]i8) : bool =
  let n = if k == 0 || m == 0 then 0 else i64.max 0 n
  let (bs, cs) = (map f64.i8 cells, map f64.i8 others)
  let is = map (\i -> i * i % i64.max 1 k) (iota n)
  let js = map (\i -> (i * 3 + 1) % i64.max 1 m) (iota n)
  let (bs_adj, cs_adj) = vjp (\(bs, cs) -> map2 (\i j -> (#[unsafe] bs[i]) * (#[unsafe] cs[j])) is js) (bs, cs) (map small (iota n))
  in and (tabulate k (\b -> bs_adj[b] == loop s = 0 for i < n do if is[i] == b then s + cs[js[i]] * small i else s)) &&
     and (tabulate m (\c -> cs_adj[c] == loop s = 0 for i < n do if js[i] == c then s + bs[is[i]] * small i else s))

-- | What elements come to in the bins that they fall into, and in none, by one operator after the other.
def bins [n] (k: i64) (xs: [n]i8) : [n]i64 = map2 (\i x -> (i * i + i64.i8 x) % (k + 1) - 1) (iota n) xs

def of_bin [n] (is: [n]i64) (op: f32 -> f32 -> f32) (neutral: f32) (xs: [n]f32) (b: i64) : f32 =
  loop total = neutral for i < n do if is[i] == b then op total xs[i] else total

def is_right [n] (k: i64) (is: [n]i64) (op: f32 -> f32 -> f32) (neutral: f32) (xs: [n]f32) (cells: [k]f32) : bool =
  and (tabulate k (\b -> cells[b] == of_bin is op neutral xs b))

-- ==
-- entry: operators
-- random input { 1i64 [3000]i8 } output { true }
-- random input { 3i64 [700]i8 } output { true }
-- random input { 16i64 [257]i8 } output { true }
-- random input { 70i64 [300]i8 } output { true }
-- random input { 0i64 [3]i8 } output { true }
-- random input { 3i64 [0]i8 } output { true }
entry operators [n] (k: i64) (xs: [n]i8) : bool =
  let k = i64.max 0 k
  let is = bins k xs
  let ys = map f32.i8 xs
  let signs = map (\x -> if x < 0 then -1 else 1f32) xs
  in is_right k is (+) 0 ys (reduce_by_index (replicate k 0) (+) 0 is ys) &&
     is_right k is (*) 1 signs (reduce_by_index (replicate k 1) (*) 1 is signs) &&
     is_right k is f32.max (-f32.inf) ys (reduce_by_index (replicate k (-f32.inf)) f32.max (-f32.inf) is ys) &&
     is_right k is (\x y -> if f32.abs x < f32.abs y || (f32.abs x == f32.abs y && x < y) then y else x) 0 ys
       (reduce_by_index (replicate k 0) (\x y -> if f32.abs x < f32.abs y || (f32.abs x == f32.abs y && x < y) then y else x) 0 is ys)

-- | On top of what stands there.
-- ==
-- entry: added
-- random input { [3]i8 [600]i8 } output { true }
entry added [k] [n] (start: [k]i8) (xs: [n]i8) : bool =
  let is = bins k xs
  let (start, ys) = (map f64.i8 start, map f64.i8 xs)
  let sums = reduce_by_index (copy start) (+) 0 is ys
  in and (tabulate k (\b -> sums[b] == loop s = start[b] for i < n do if is[i] == b then s + ys[i] else s))

-- | Rows, element by element.
-- ==
-- entry: of_rows
-- random input { 3i64 5i64 [90]i8 } output { true }
-- random input { 2i64 300i64 [7]i8 } output { true }
-- random input { 2i64 0i64 [7]i8 } output { true }
entry of_rows [n] (k: i64) (m: i64) (xs: [n]i8) : bool =
  let (k, m) = (i64.max 0 k, i64.max 0 m)
  let is = bins k xs
  let rows = tabulate_2d n m (\i j -> f32.i64 ((i + 3 * j) % 8) + f32.i8 xs[i])
  let sums = reduce_by_index (replicate k (replicate m 0)) (map2 (+)) (replicate m 0) is rows
  in and (tabulate k (\b -> and (tabulate m (\j -> sums[b, j] == loop s = 0 for i < n do if is[i] == b then s + rows[i, j] else s))))

-- | The adjoint of a smallest element goes to the first of the bin that is as small.
-- ==
-- entry: winners
-- random input { 3i64 [600]i8 } output { true }
-- random input { 70i64 [300]i8 } output { true }
-- random input { 0i64 [3]i8 } output { true }
entry winners [n] (k: i64) (xs: [n]i8) : bool =
  let k = i64.max 0 k
  let is = bins k xs
  let ys = map f32.i8 xs
  let adjoints = vjp (\ys -> reduce_by_index (replicate k 100) f32.min f32.inf is ys) ys (map (\b -> f32.i64 (b + 1)) (iota k))
  let first b = loop (least, at) = (100, -1) for i < n do if is[i] == b && ys[i] < least then (ys[i], i) else (least, at)
  in and (map3 (\i b adjoint -> adjoint == if 0 <= b && b < k && (first b).1 == i then f32.i64 (b + 1) else 0) (iota n) is adjoints)
