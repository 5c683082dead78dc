-- What runs in order on every machine: arrays that grow by what they hold inside of a map, and accumulators whose operators
-- threads cannot share.

def grown (k: i64) : []i64 =
  loop xs = [k] for i < k %% 5 do
    if last xs %% 3 == 0 then xs ++ [last xs / 2 + 1] else xs ++ [last xs + i, 2]

-- ==
-- entry: of_growing
-- input { [3i64, 0i64, 7i64, 14i64] } output { [[6i64, 16i64], [1i64, 0i64], [5i64, 21i64], [9i64, 48i64]] }
-- input { empty([0]i64) } output { empty([0][2]i64) }
entry of_growing [n] (ks: [n]i64) : [n][2]i64 =
  map (\k -> let xs = grown k in [length xs, i64.sum xs]) ks

-- With a reduction and a scan, that are not commutative, of what the map finds.
-- ==
-- entry: combined
-- input { [3i64, 4i64] } output { 54i64 20i64 [6i64, 54i64] }
entry combined [n] (ks: [n]i64) : (i64, i64, [n]i64) =
  let compose (a, b) (c, d) = (a * c %% 1009, (b * c + d) %% 1009)
  let ls = map (\k -> length (grown k)) ks
  let (a, b) = reduce compose (1, 0) (map (\k -> let xs = grown k in (length xs, last xs)) ks)
  in (a, b, scan (\x y -> x * y %% 1009) 1 ls)

-- Operators that let arrays grow, on elements and on bins.
-- ==
-- entry: of_operators
-- input { [3i64, 1i64, 2i64] [0i64, 1i64, 0i64] } output { 6i64 [3i64, 4i64, 6i64] [3i64, 2i64] }
entry of_operators [n] (xs: [n]i64) (is: [n]i64) : (i64, [n]i64, [2]i64) =
  let sum a b = i64.sum (loop ys = [a, b] for _i < b %% 4 do ys ++ [last ys, -(last ys)])
  let longest a b = i64.maximum (loop ys = [a, b] for i < a %% 3 do ys ++ take (i + 1) ys)
  in (reduce sum 0 xs, scan sum 0 xs,
      reduce_by_index [1, 2] longest i64.lowest is (map (\x -> i64.sum (loop ys = [x] for i < x %% 3 do ys ++ [i])) xs))

-- Reverse mode, with additions to what all elements share.
-- ==
-- entry: gradient
-- input { [1.5, 0.5, 0.25] [2i64, 0i64, 3i64] } output { [10.078314622221912, 65.9036128545837, 186.21781309686025] }
entry gradient [n] [m] (xs: [m]f64) (ks: [n]i64) : [m]f64 =
  vjp (\xs ->
         map (\k -> f64.sum (map (\j -> if m == 0 then 0 else f64.sin xs[j %% m] * f64.i64 (j %% 7)) (grown k))) ks
         |> map (\y -> y * y) |> f64.sum)
      xs 1

type~ acc 't = intrinsics.acc t

-- Lists of bounded length, the smaller numbers first: an operator on rows.
def merge [k] (xs: [k]i64) (ys: [k]i64) : [k]i64 =
  (loop (zs, i, j) = (replicate k 0, 0, 0) for l < k do
     if xs[i] <= ys[j] then (zs with [l] = xs[i], i + 1, j) else (zs with [l] = ys[j], i, j + 1)).0

-- ==
-- entry: of_rows
-- input { [0i64, 1i64, 0i64, -1i64, 2i64, 0i64] [5i64, 4i64, 3i64, 2i64, 1i64, 9i64] }
-- output { [[3i64, 5i64], [4i64, 100i64]] }
entry of_rows [n] (is: [n]i64) (xs: [n]i64) : [2][2]i64 =
  let add (acc: *acc ([2][2]i64)) (i, x) = intrinsics.acc_write acc i [x, 100]
  in intrinsics.hist_stream (replicate 2 (replicate 2 100)) merge (replicate 2 100) add (zip is xs)

-- An operator with a variable of its own, inside of a branch and a loop.
-- ==
-- entry: with_variables
-- input { 7i64 [0i64, 1i64, 3i64] } output { [6i64, 2i64, 0i64] }
entry with_variables [n] (p: i64) (is: [n]i64) : [3]i64 =
  let m = i64.max 1 p
  let op a b = (a + b) %% m
  let add (acc: *acc ([3]i64)) i =
    if i == 2 then acc else loop acc for j < 3 do intrinsics.acc_write acc i (i + j + 1)
  in intrinsics.hist_stream (replicate 3 0) op 0 add is
