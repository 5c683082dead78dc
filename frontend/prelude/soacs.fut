-- Parallel operators on arrays.

def map 'a 'x [n] : (f: a -> x) -> (xs: [n]a) -> *[n]x = intrinsics.map
def map1 'a 'x [n] : (f: a -> x) -> (xs: [n]a) -> *[n]x = intrinsics.map

def map2 'a 'b 'x [n] (f: a -> b -> x) (xs: [n]a) (ys: [n]b) : *[n]x =
  map (\(x, y) -> f x y) (zip xs ys)

def map3 'a 'b 'c 'x [n] (f: a -> b -> c -> x) (xs: [n]a) (ys: [n]b) (zs: [n]c) : *[n]x =
  map (\(x, (y, z)) -> f x y z) (zip xs (zip ys zs))

def map4 'a 'b 'c 'd 'x [n] (f: a -> b -> c -> d -> x) (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) : *[n]x =
  map (\((x, y), (z, u)) -> f x y z u) (zip (zip xs ys) (zip zs us))

def map5 'a 'b 'c 'd 'e 'x [n] (f: a -> b -> c -> d -> e -> x) (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e) : *[n]x =
  map (\((x, y), (z, (u, v))) -> f x y z u v) (zip (zip xs ys) (zip zs (zip us vs)))

def reduce 'a [n] : (op: a -> a -> a) -> (ne: a) -> (xs: [n]a) -> a = intrinsics.reduce
def reduce_comm 'a [n] : (op: a -> a -> a) -> (ne: a) -> (xs: [n]a) -> a = intrinsics.reduce_comm
def scan 'a [n] : (op: a -> a -> a) -> (ne: a) -> (xs: [n]a) -> *[n]a = intrinsics.scan

-- | The scan that leaves out each element itself: starts with `ne`.
def exscan 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a) : *[n]a =
  let ys = scan op ne xs
  in map (\i -> if i == 0 then ne else ys[i - 1]) (intrinsics.iota n)

def all 'a [n] (p: a -> bool) (xs: [n]a) : bool = reduce (&&) true (map p xs)
def any 'a [n] (p: a -> bool) (xs: [n]a) : bool = reduce (||) false (map p xs)
def and [n] (xs: [n]bool) : bool = reduce (&&) true xs
def or [n] (xs: [n]bool) : bool = reduce (||) false xs

def foldl 'a 'b [n] (f: a -> b -> a) (acc: a) (xs: [n]b) : a =
  loop y = acc for x in xs do f y x

def foldr 'a 'b [n] (f: b -> a -> a) (acc: a) (xs: [n]b) : a =
  loop y = acc for x in xs[::-1] do f x y

-- Writing to computed places. Indices out of bounds are ignored.

def scatter 't [k] [n] : (dest: *[k]t) -> (is: [n]i64) -> (vs: [n]t) -> *[k]t = intrinsics.scatter
def scatter_2d 't [k] [l] [n] : (dest: *[k][l]t) -> (is: [n](i64, i64)) -> (vs: [n]t) -> *[k][l]t =
  intrinsics.scatter_2d
def scatter_3d 't [k] [l] [m] [n] : (dest: *[k][l][m]t) -> (is: [n](i64, i64, i64)) -> (vs: [n]t) -> *[k][l][m]t =
  intrinsics.scatter_3d

def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  scatter (intrinsics.replicate k x) is vs

def reduce_by_index 'a [k] [n] : (dest: *[k]a) -> (f: a -> a -> a) -> (ne: a) -> (is: [n]i64) -> (vs: [n]a) -> *[k]a =
  intrinsics.reduce_by_index
def reduce_by_index_2d 'a [k] [l] [n] :
  (dest: *[k][l]a) -> (f: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64)) -> (vs: [n]a) -> *[k][l]a =
  intrinsics.reduce_by_index_2d
def reduce_by_index_3d 'a [k] [l] [m] [n] :
  (dest: *[k][l][m]a) -> (f: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64, i64)) -> (vs: [n]a) -> *[k][l][m]a =
  intrinsics.reduce_by_index_3d

def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (vs: [n]a) : *[k]a =
  reduce_by_index (intrinsics.replicate k ne) op ne is vs

-- | The elements that satisfy p, in their order.
def filter 'a [n] (p: a -> bool) (xs: [n]a) : *[]a =
  let flags = map p xs
  let counts = scan (+) 0 (map i64.bool flags)
  let k = i64.min n (if n == 0 then 0 else counts[n - 1])  -- at most n, as anyone can see
  let is = map2 (\flag count -> if flag then count - 1 else -1) flags counts
  in scatter (intrinsics.scratch k) is xs

-- | The elements that satisfy p, and those that do not.
def partition 'a [n] (p: a -> bool) (xs: [n]a) : ?[k].([k]a, [n - k]a) =
  let flags = map p xs
  let counts = scan (+) 0 (map i64.bool flags)
  let k = if n == 0 then 0 else counts[n - 1]
  let is = map3 (\i flag count -> if flag then count - 1 else k + i - count) (intrinsics.iota n) flags counts
  let ys = scatter (intrinsics.scratch n) is xs
  in (ys[:k], ys[k:])

-- | The elements that satisfy p, those of the others that satisfy q, and the rest.
def partition2 'a [n] (p: a -> bool) (q: a -> bool) (xs: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let (xs1, rest) = partition p xs
  let (xs2, xs3) = partition q rest
  in (xs1, xs2, xs3)

-- Arrays whose sizes differ, one after the other.

-- | Applies f to every element. Yields the sizes of its arrays; where each of them begins, by flags; the same by offsets;
-- all elements; and what f yields besides. The arrays are put in their places one by one.
def flatmap 'a 'b 'c [n] (f: a -> ?[k].([k]b, c)) (xs: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let (sizes, others) = unzip (map (\x -> let (ys, other) = f x in (intrinsics.length ys, other)) xs)
  let ends = scan (+) 0 sizes
  let begins = map2 (-) ends sizes
  let m = if n == 0 then 0 else ends[n - 1]
  let flags = scatter (intrinsics.replicate m false) (map2 (\begin size -> if size > 0 then begin else -1) begins sizes)
                      (intrinsics.replicate n true)
  let elements = loop zs : *[m]b = intrinsics.scratch m for i < n do
                   let (ys, _) = f xs[i]
                   in zs with [begins[i]:ends[i]] = ys
  in (sizes, flags, begins, elements, others)

-- | As flatmap, if f yields nothing besides.
def flatmap' 'a 'b [n] (f: a -> ?[k].[k]b) (xs: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, flags, begins, elements, _) = flatmap (\x -> (f x, ())) xs
  in (sizes, flags, begins, elements)
