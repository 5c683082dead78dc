-- Sizes that are negative fail, in derivatives as in what they differentiate.

def total (n: i64) (x: f64) : f64 = f64.sum (replicate (n - 3) x)

-- ==
-- entry: main
-- input { 5i64 2f64 } output { 4f64 }
-- input { 3i64 2f64 } output { 0f64 }
-- input { 1i64 2f64 } error: .
entry main (n: i64) (x: f64) : f64 = total n x

-- ==
-- entry: total_vjp
-- input { 5i64 2f64 } output { 4f64 2f64 }
-- input { 3i64 2f64 } output { 0f64 0f64 }
-- input { 1i64 2f64 } error: .
entry total_vjp (n: i64) (x: f64) : (f64, f64) = vjp2 (total n) x 1

-- ==
-- entry: totals_vjp
-- input { [5i64, 4i64] 2f64 [1f64, 10f64] } output { 12f64 }
-- input { [5i64, 1i64] 2f64 [1f64, 10f64] } error: .
entry totals_vjp [k] (ns: [k]i64) (x: f64) (seed: [k]f64) : f64 = vjp (\x -> map (\n -> total n x) ns) x seed

-- | Rows of a negative size fail where they are made.
-- ==
-- entry: rows
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
-- input { 2i64 -1i64 } error: .
-- input { -2i64 3i64 } error: .
-- input { 0i64 -1i64 } output { empty([0][0]i64) }
entry rows (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m (+)

-- ==
-- entry: blocks
-- input { 1i64 2i64 2i64 } output { [[[0i64, 0i64], [0i64, 1i64]]] }
-- input { 2i64 -1i64 3i64 } error: .
-- input { 2i64 3i64 -1i64 } error: .
-- input { 0i64 2i64 -1i64 } output { empty([0][2][0]i64) }
-- input { 0i64 -1i64 2i64 } output { empty([0][0][2]i64) }
-- input { 0i64 -1i64 -1i64 } output { empty([0][0][0]i64) }
-- input { 2i64 0i64 -1i64 } output { empty([2][0][0]i64) }
entry blocks (n: i64) (m: i64) (k: i64) : [n][m][k]i64 = tabulate_3d n m k (\i j l -> i + j * l)

-- ==
-- entry: rows_vjp
-- input { [3i64, 1i64] 5f64 } output { 21f64 }
-- input { [3i64, -1i64] 5f64 } error: .
entry rows_vjp (ms: []i64) (x: f64) : f64 =
  vjp (\x -> f64.sum (map (\m -> f64.sum (flatten (tabulate_2d 3 m (\i j -> x * f64.i64 (i + j))))) ms)) x 1

-- | What no point and no iteration makes does not fail, although its size is the same for all.
-- ==
-- entry: no_points
-- input { empty([0]f64) } output { empty([0]f64) }
-- input { [1f64, 2f64, 3f64] } output { [2f64, 3f64, 4f64] }
entry no_points [n] (xs: [n]f64) : [n]f64 = map (\x -> x + f64.sum (map f64.i64 (iota (n - 1)))) xs

-- ==
-- entry: no_points_vjp
-- input { empty([0]f64) } output { empty([0]f64) }
-- input { [1f64, 2f64, 3f64] } output { [8f64, 28f64, 60f64] }
entry no_points_vjp [n] (xs: [n]f64) : [n]f64 =
  vjp (\ys -> f64.sum (map (\x -> x * x * f64.sum (map (\j -> x + f64.i64 j) (iota (n - 1)))) ys)) xs 1

-- ==
-- entry: no_iterations
-- input { 0i64 } output { 0f64 }
-- input { 3i64 } output { 3f64 }
entry no_iterations (n: i64) : f64 = loop acc = 0 for i < n do acc + f64.sum (map f64.i64 (iota (n - 1))) * f64.i64 i

-- ==
-- entry: no_rows
-- input { 0i64 -1i64 [1f64, 2f64] } output { 0f64 }
-- input { 2i64 3i64 [1f64, 2f64] } output { 3f64 }
-- input { 1i64 -1i64 [1f64, 2f64] } error: .
entry no_rows (k: i64) (m: i64) (row: []f64) : f64 =
  loop acc = 0 for i < k do
    let sums = scan (map2 (+)) (map (const 0) row) (replicate m row)
    in acc + sums[i, 0]

-- ==
-- entry: no_prefixes
-- input { empty([0]f64) -1i64 } output { empty([0]f64) }
-- input { [1f64, 2f64] 3i64 } output { [10f64, 11f64] }
-- input { [1f64] -1i64 } error: .
entry no_prefixes [n] (xs: [n]f64) (m: i64) : [n]f64 =
  map (\x -> let ys = scan (+) 0 (map (\j -> 3 * f64.i64 j) (iota m)) in x + ys[0] + ys[m - 1]) xs

-- | Extents that may be negative where nobody makes them may be so in what follows, too.
-- ==
-- entry: used_later
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] 3i64 3i64 }
-- input { 0i64 -3i64 } output { empty([0][0]i64) 3i64 0i64 }
-- input { 1i64 -3i64 } error: .
entry used_later (n: i64) (m: i64) : ([n][m]i64, i64, i64) =
  let xss = tabulate_2d n m (+)
  in (xss, i64.abs m, i64.sum (map (const 1) (iota (i64.max 0 m))))

-- | What points sum up, several threads each, fails as what they make does.
-- ==
-- entry: sums
-- input { [7i64, 8i64] 3i64 } output { [21i64, 24i64] }
-- input { [7i64, 8i64] 0i64 } output { [0i64, 0i64] }
-- input { [7i64, 8i64] -1i64 } error: .
-- input { empty([0]i64) -1i64 } output { empty([0]i64) }
entry sums [n] (xs: [n]i64) (m: i64) : [n]i64 = map (\x -> i64.sum (map (* x) (iota m))) xs

-- ==
-- entry: sums_of_sums
-- input { [7i64, 8i64] 2i64 3i64 } output { [21i64, 24i64] }
-- input { [7i64, 8i64] 2i64 -1i64 } error: .
-- input { [7i64, 8i64] -1i64 2i64 } error: .
-- input { [7i64, 8i64] 0i64 -1i64 } output { [0i64, 0i64] }
-- input { empty([0]i64) 2i64 -1i64 } output { empty([0]i64) }
entry sums_of_sums [n] (xs: [n]i64) (m: i64) (l: i64) : [n]i64 =
  map (\x -> i64.sum (map (\j -> i64.sum (map (\k -> j * k * x) (iota l))) (iota m))) xs

-- ==
-- entry: almost_as_wide
-- input { [7i64, 8i64, 9i64] } output { [8i64, 9i64, 10i64] }
-- input { [7i64] } error: .
-- input { empty([0]i64) } output { empty([0]i64) }
entry almost_as_wide [n] (xs: [n]i64) : [n]i64 = map (\x -> i64.sum (map (+ (x + 1)) (iota (n - 2)))) xs

-- | Of two sums.
-- ==
-- entry: two_sums
-- input { [7i64, 8i64] 3i64 2i64 } output { [23i64, 26i64] }
-- input { [7i64, 8i64] 3i64 -1i64 } error: .
-- input { empty([0]i64) 3i64 -1i64 } output { empty([0]i64) }
entry two_sums [n] (xs: [n]i64) (m: i64) (l: i64) : [n]i64 = map (\x -> i64.sum (map (* x) (iota m)) + i64.sum (map (const 1) (iota l))) xs

-- | In branches that some points take.
-- ==
-- entry: branches
-- input { [0i64, 5i64] 2i64 3i64 } output { [4i64, 3i64] }
-- input { [0i64, 0i64] 1i64 -1i64 } output { [1i64, 1i64] }
-- input { [0i64, 5i64] 1i64 -1i64 } error: .
entry branches [n] (xs: [n]i64) (m: i64) (l: i64) : [n]i64 =
  map (\x -> i64.sum (map (\j -> if j == x then 1 else i64.sum (map (* j) (iota l))) (iota m))) xs

-- ==
-- entry: sums_vjp
-- input { [2f64, 3f64] 3i64 } output { [24f64, 54f64] }
-- input { [2f64, 3f64] -1i64 } error: .
-- input { empty([0]f64) -1i64 } output { empty([0]f64) }
entry sums_vjp [n] (xs: [n]f64) (m: i64) : [n]f64 =
  vjp (\xs -> map (\x -> f64.sum (map (\j -> x * x * f64.i64 j) (iota m))) xs) xs xs
