-- Additions to cells that data find, of which lanes of a warp make those to the same cell together: many to one cell, none, groups of
-- different sizes, in branches and loops, by part of a warp. Copies of the cells for each block do not fit. Numbers are whole, so that the
-- order of additions does not matter.

def small (i: i64) : i64 = i % 7 - 2
def cells : i64 = 70_000

-- | Which of them is kept, of those that points find: by one rule or another.
def place (rule: i64) (i: i64) : i64 =
  if rule == 0 then 69_999 else if rule == 1 then i else if rule == 2 then i / 5 else if rule == 3 then i * i % 11 else (i * 7919) % 40

-- | Of all cells those that are not 0, as a sum in which each has a weight of its own.
def weighted (xs: [cells]i64) : i64 = i64.sum (map2 (\i x -> (i % 1009 + 1) * x) (iota cells) xs)

-- | The same, point by point.
def expected (rule: i64) (n: i64) (value: i64 -> i64) : i64 = loop s = 0 for i < n do s + (place rule i % 1009 + 1) * value i

def found 't [n] (op: t -> t -> t) (neutral: t) (is: [n]i64) (vs: [n]t) : [cells]t = reduce_by_index (replicate cells neutral) op neutral is vs

-- | Each point adds to one cell.
-- ==
-- entry: one_each
-- input { 0i64 1000i64 } output { true }
-- input { 1i64 1000i64 } output { true }
-- input { 2i64 1000i64 } output { true }
-- input { 3i64 45i64 } output { true }
-- input { 4i64 300i64 } output { true }
-- input { 3i64 0i64 } output { true }
entry one_each (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (place rule) (iota n))
  let vs = opaque (map small (iota n))
  let wanted = expected rule n small
  in weighted (found (+) 0 is vs) == wanted && weighted (map i64.i32 (found (+) 0 is (map i32.i64 vs))) == wanted &&
     weighted (map i64.f32 (found (+) 0 is (map f32.i64 vs))) == wanted && weighted (map i64.f64 (found (+) 0 is (map f64.i64 vs))) == wanted

-- | Other operators: what is least and largest, by atomic operations of CUDA and by those that are made; and one of ours.
-- ==
-- entry: other_operators
-- input { 0i64 700i64 } output { true }
-- input { 2i64 333i64 } output { true }
-- input { 3i64 700i64 } output { true }
-- input { 4i64 31i64 } output { true }
entry other_operators (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (place rule) (iota n))
  let vs = opaque (map (\i -> (i * 7) % 101 - 50) (iota n))
  let of_cell (c: i64) (op: i64 -> i64 -> i64) (neutral: i64) : i64 = loop x = neutral for i < n do if is[i] == c then op x vs[i] else x
  let watched = map (place rule) (iota (i64.min n 60)) ++ [5, 12]
  let least = found i32.min 1000 is (map i32.i64 vs)
  let largest = found i64.max (-1000) is vs
  let least_float = found f32.min 1000 is (map f32.i64 vs)
  let largest_byte = found i8.max (-100) is (map i8.i64 vs)
  let odd = found (\x y -> x * y + 3 * (x + y) + 6) (-2) is vs
  in and (map (\c -> i64.i32 least[c] == of_cell c i64.min 1000 && largest[c] == of_cell c i64.max (-1000) &&
                     i64.f32 least_float[c] == of_cell c i64.min 1000 && i64.i8 largest_byte[c] == of_cell c i64.max (-100) &&
                     odd[c] == of_cell c (\x y -> x * y + 3 * (x + y) + 6) (-2)) watched)

-- | What points read in loops of their own length, in branches of either side, and not at all, gets what they come to.
def reads (xs: [cells]f64) (rule: i64) (lengths: []i64) (i: i64) : f64 =
  loop s = 0 for j < lengths[i] do
    let k = place rule (i + j)
    in if (i + j) % 3 == 0 then s + 2 * xs[k]
       else if (i * j) % 4 == 1 then s
       else s + xs[k] + 3 * xs[(k + 1) % cells]

-- ==
-- entry: in_loops
-- input { 0i64 100i64 } output { true }
-- input { 1i64 100i64 } output { true }
-- input { 3i64 300i64 } output { true }
-- input { 4i64 65i64 } output { true }
entry in_loops (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let lengths = opaque (map (\i -> (i * 5) % 9) (iota n))
  let adjoints = vjp (\xs -> map (reads xs rule lengths) (iota n)) (replicate cells 1) (map (small >-> f64.i64) (iota n))
  let by_points =
    loop s = 0 for i < n do
      loop s for j < lengths[i] do
        let k = place rule (i + j)
        let weight = k % 1009 + 1
        in s + small i * (if (i + j) % 3 == 0 then 2 * weight
                          else if (i * j) % 4 == 1 then 0
                          else weight + 3 * ((k + 1) % cells % 1009 + 1))
  in weighted (map i64.f64 adjoints) == by_points

-- | Several numbers of a record, and of the next one: one match is enough for all of them.
-- ==
-- entry: records
-- input { 0i64 200i64 } output { true }
-- input { 2i64 333i64 } output { true }
-- input { 4i64 70i64 } output { true }
entry records (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (\i -> i64.min (place rule i) (cells - 2)) (iota n))
  let f (xss: [cells][3]f32) =
    map (\i -> (#[unsafe] xss[i, 0]) + 2 * (#[unsafe] xss[i, 2]) + 3 * (#[unsafe] xss[i + 1, 1]) + 5 * (#[unsafe] xss[i + 1, 0])) is
  let adjoints = vjp f (replicate cells [1, 1, 1]) (map (small >-> f32.i64) (iota n))
  let weights (i: i64) : [3]i64 = [i % 1009 + 1, i % 7 + 11, i % 5 + 3]
  let total = i64.sum (map2 (\i xs -> i64.sum (map2 (*) (weights i) (map i64.f32 xs))) (iota cells) adjoints)
  let by_points =
    loop s = 0 for i < n do
      let (here, next) = (weights is[i], weights (is[i] + 1))
      in s + small i * (here[0] + 2 * here[2] + 3 * next[1] + 5 * next[0])
  in total == by_points

-- | Some of the lanes that have added to a record add to the one before it, too.
-- ==
-- entry: then_in_branches
-- input { 0i64 200i64 } output { true }
-- input { 4i64 333i64 } output { true }
entry then_in_branches (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (\i -> i64.min (place rule i) (cells - 2)) (iota n))
  let f (xs: [cells]f64) i k =
    let first = if i % 3 == 0 then loop s = 0 for j < 2 do s + f64.i64 (j + 1) * (#[unsafe] xs[k]) else 0
    in first + 5 * (#[unsafe] xs[k + 1])
  let adjoints = vjp (\xs -> map2 (f xs) (iota n) is) (replicate cells 1) (map (small >-> f64.i64) (iota n))
  in weighted (map i64.f64 adjoints) ==
     loop s = 0 for i < n do s + small i * ((if i % 3 == 0 then 3 * (is[i] % 1009 + 1) else 0) + 5 * ((is[i] + 1) % 1009 + 1))

-- | Each branch has numbers of its own, more or fewer than the other one, more or less often.
-- ==
-- entry: branches_of_records
-- input { 0i64 200i64 } output { true }
-- input { 3i64 333i64 } output { true }
-- input { 4i64 70i64 } output { true }
entry branches_of_records (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (place rule) (iota n))
  let f (xss: [cells][3]f32) i k =
    if i % 3 == 0 then loop s = 0 for j < 2 do s + f32.i64 (j + 1) * (#[unsafe] xss[k, 0]) + (#[unsafe] xss[k, 2])
    else loop s = 0 for j < i % 5 do s + 5 * (#[unsafe] xss[k, 1])
  let adjoints = vjp (\xss -> map2 (f xss) (iota n) is) (replicate cells [1, 1, 1]) (map (small >-> f32.i64) (iota n))
  let weights (i: i64) : [3]i64 = [i % 1009 + 1, i % 7 + 11, i % 5 + 3]
  let total = i64.sum (map2 (\i xs -> i64.sum (map2 (*) (weights i) (map i64.f32 xs))) (iota cells) adjoints)
  let by_points =
    loop s = 0 for i < n do
      let here = weights is[i]
      in s + small i * (if i % 3 == 0 then 3 * here[0] + 2 * here[2] else 5 * (i % 5) * here[1])
  in total == by_points

-- | Lanes that have one cell in common may differ in others.
-- ==
-- entry: unrelated
-- input { 2i64 200i64 } output { true }
-- input { 4i64 200i64 } output { true }
-- input { 3i64 333i64 } output { true }
entry unrelated (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (place rule) (iota n))
  let js = opaque (map (\i -> place 3 (i * 3)) (iota n))
  let f (xs: [cells]f64) k j = (#[unsafe] xs[k]) + 5 * (#[unsafe] xs[k % 7]) + 3 * (#[unsafe] xs[j])
  let adjoints = vjp (\xs -> map2 (f xs) is js) (replicate cells 1) (map (small >-> f64.i64) (iota n))
  let weight (k: i64) : i64 = k % 1009 + 1
  in weighted (map i64.f64 adjoints) ==
     loop s = 0 for i < n do s + small i * (weight is[i] + 3 * weight js[i] + 5 * weight (is[i] % 7))

-- | Rows of a matrix, element by element.
-- ==
-- entry: rows
-- input { 0i64 70i64 3i64 } output { true }
-- input { 3i64 100i64 2i64 } output { true }
-- input { 4i64 45i64 5i64 } output { true }
entry rows (rule: i64) (n: i64) (d: i64) : bool =
  let (n, d) = (i64.max 0 n, i64.max 0 d)
  let is = opaque (map (\i -> place rule i % 30_000) (iota n))
  let vss = opaque (tabulate_2d n d (\i j -> small (i + 3 * j)))
  let found = reduce_by_index (replicate 30_000 (replicate d 0)) (map2 (+)) (replicate d 0) is vss
  let total = i64.sum (map2 (\i xs -> i64.sum (map2 (\j x -> (i % 1009 + 2 * j + 1) * x) (iota d) xs)) (iota 30_000) found)
  in total == loop s = 0 for i < n do loop s for j < d do s + (is[i] % 1009 + 2 * j + 1) * small (i + 3 * j)

-- | Lanes stop where an index is wrong, and the others go on.
-- ==
-- entry: some_fail
-- input { 80i64 } output { 1560i64 }
-- input { 3000i64 } error: out of bounds
entry some_fail (n: i64) : i64 =
  let is = opaque (map (\i -> if i == 1234 then 50 else i % 40) (iota n))
  let ys = opaque (map f64.i64 (iota 50))
  let adjoints = vjp (\xs -> map (\i -> ys[is[i]] * (#[unsafe] xs[is[i]])) (iota n)) (replicate cells 1) (replicate n 1f64)
  in i64.f64 (f64.sum adjoints)

-- | Asked for, where copies fit.
-- ==
-- entry: asked_for
-- input { 0i64 1000i64 } output { true }
-- input { 3i64 700i64 } output { true }
entry asked_for (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (\i -> place rule i % 100) (iota n))
  let found = #[aggregate] reduce_by_index (replicate 100 0f64) (+) 0 is (map (small >-> f64.i64) (iota n))
  in i64.f64 (f64.sum (map2 (*) found (map f64.i64 (iota 100)))) == loop s = 0 for i < n do s + is[i] * small i

-- | Warps that take some short rows of points each.
-- ==
-- entry: of_matrix
-- input { 0i64 100i64 3i64 } output { true }
-- input { 3i64 70i64 5i64 } output { true }
-- input { 4i64 9i64 30i64 } output { true }
-- input { 2i64 40i64 1i64 } output { true }
entry of_matrix (rule: i64) (n: i64) (m: i64) : bool =
  let (n, m) = (i64.max 0 n, i64.max 0 m)
  let iss = opaque (tabulate_2d n m (\i j -> place rule (i + j * j)))
  let adjoints = vjp (\xs -> map (map (\k -> #[unsafe] xs[k])) iss) (replicate cells 1) (tabulate_2d n m (\i j -> f64.i64 (small (i + 3 * j))))
  in weighted (map i64.f64 adjoints) == loop s = 0 for i < n do loop s for j < m do s + (iss[i, j] % 1009 + 1) * small (i + 3 * j)

-- | Asked for of a map, whose derivative adds to few cells.
-- ==
-- entry: asked_for_on_the_way_back
-- input { 0i64 1000i64 } output { true }
-- input { 4i64 333i64 } output { true }
entry asked_for_on_the_way_back (rule: i64) (n: i64) : bool =
  let n = i64.max 0 n
  let is = opaque (map (\i -> place rule i % 100) (iota n))
  let f (xs: [100]f64) = #[aggregate] map (\i -> let x = #[unsafe] xs[i] in x * x) is
  let adjoints = vjp f (replicate 100 1) (map (small >-> f64.i64) (iota n))
  in i64.f64 (f64.sum (map2 (*) adjoints (map f64.i64 (iota 100)))) == loop s = 0 for i < n do s + 2 * is[i] * small i

-- Reads that are checked: what is added to is known to be inside on a condition only.

def gradient_is_right [n] (f: [n]f64 -> f64) (xs: [n]f64) : bool =
  let by_forward = tabulate n (\i -> jvp f xs (tabulate n (\j -> if i == j then 1 else 0)))
  in and (map2 (\x y -> f64.abs (x - y) < 1e-9) (vjp f xs 1) by_forward)

-- | Both branches add to the same place.
-- ==
-- entry: by_branches
-- input { [0i64, 2i64, 2i64, 1i64] [true, false, true, false] [1.0, 2.0, 3.0, 4.0] [0.5, 1.5, 2.5] } output { true }
entry by_branches [n] [m] (is: [n]i64) (cs: [n]bool) (vs: [n]f64) (xs: [m]f64) : bool =
  gradient_is_right (\xs -> f64.sum (map3 (\i c v -> if c then v * xs[i] else -xs[i]) is cs vs)) xs

-- | An addition on a condition, and before it or behind it one that is always made.
-- ==
-- entry: before_and_in_branches
-- input { [0i64, 2i64, 2i64, 1i64] [true, false, true, false] [1.0, 2.0, 3.0, 4.0] [0.5, 1.5, 2.5] } output { true }
entry before_and_in_branches [n] [m] (is: [n]i64) (cs: [n]bool) (vs: [n]f64) (xs: [m]f64) : bool =
  gradient_is_right (\xs -> f64.sum (map3 (\i c v -> (if c then v * xs[i] * xs[i] else 0) + v * xs[i]) is cs vs)) xs &&
  gradient_is_right (\xs -> f64.sum (map3 (\i c v -> v * xs[i] + (if c then v * xs[i] * xs[i] else 0)) is cs vs)) xs

-- | Branches that read different arrays.
-- ==
-- entry: one_of_two_arrays
-- input { [0i64, 2i64, 2i64, 1i64] [true, false, true, false] [0.5, 1.5, 2.5] } output { true }
entry one_of_two_arrays [n] [m] (is: [n]i64) (cs: [n]bool) (xs: [m]f64) : bool =
  gradient_is_right (\xs -> f64.sum (map2 (\i c -> if c then xs[i] * xs[i] else 3 * f64.sin xs[m - 1 - i] * xs[i]) is cs)) xs

-- | Two additions of a step, each of which may be outside.
-- ==
-- entry: inside_or_not
-- input { 2i64 4i64 3i64 } output { [34i64, 34i64] }
entry inside_or_not (m: i64) (n: i64) (steps: i64) : [m]i64 =
  let add (acc: *intrinsics.acc ([m]i64)) i =
    loop acc for j < steps do
      let acc = intrinsics.acc_write acc j 1
      in intrinsics.acc_write acc i 10
  in intrinsics.hist_stream (replicate m 0) (+) 0 add (iota n)
