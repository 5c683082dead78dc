-- Numbers that the program gives, as tables of the emitted file: where kernels add, reduce, scan and store.

def bins : [12]i64 = [3, 0, 2, 2, 1, 3, 0, 1, 1, 2, 0, 3]
def weights : [2][3]f64 = [[0.5, 1.0, 2.0], [-1.0, 0.25, 4.0]]

-- | Only the function that adds knows the table.
-- ==
-- entry: additions
-- input { [0i64, 5i64, 11i64, 2i64] [1.0, 2.0, 3.0, 4.0] } output { [8.0, 0.0, 6.0, 10.0] }
-- input { empty([0]i64) [1.0, 2.0, 3.0, 4.0] } output { [0.0, 0.0, 0.0, 0.0] }
entry additions [n] (which: [n]i64) (xs: [4]f64) : [4]f64 =
  vjp (\ys -> f64.sum (map (\i -> ys[bins[i]] * ys[bins[(i + 1) % 12]]) which)) xs 1

-- | The same in two dimensions, where rows are added.
-- ==
-- entry: rows
-- input { [0i64, 5i64, 11i64] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]] }
-- output { [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [21.0, 48.0]] }
entry rows [n] [m] (which: [n]i64) (xss: [4][m]f64) : [4][m]f64 =
  vjp (\yss -> f64.sum (map (\i -> f64.sum (map2 (\j y -> y * y * weights[0, j % 3]) (iota m) yss[bins[i]])) which)) xss 1

-- ==
-- entry: counts
-- input { [0i64, 5i64, 11i64, 2i64, 4i64] } output { [0i64, 1i64, 1i64, 3i64] }
entry counts [n] (which: [n]i64) : [4]i64 = reduce_by_index (replicate 4 0) (+) 0 (map (\i -> bins[i]) which) (replicate n 1)

-- ==
-- entry: sums
-- input { [0i64, 1i64, 1i64, 0i64] [1.0, 2.0, 3.0, 4.0] } output { -2.5 [0.5, -1.5, -4.5, -2.5] [5.0, 2.25] }
entry sums [n] (rows: [n]i64) (xs: [n]f64) : (f64, [n]f64, [2]f64) =
  let ys = map2 (\i x -> x * weights[i, 0] * f64.sum weights[i] / f64.sum weights[i]) rows xs
  in (f64.sum ys, scan (+) 0 ys, map (\i -> weights[i, 1] + weights[1 - i, 2]) (iota 2))
