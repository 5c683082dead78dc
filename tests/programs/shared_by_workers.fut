-- What workers share: results of several operators, prefixes of tuples, cells with gaps between them.

-- | An operator of two values before others.
-- ==
-- entry: several
-- input { [3.0, 1.0, 2.0] } output { 6.0 6.0 3.0 }
-- input { empty([0]f64) } output { 1.0 0.0 -f64.inf }
entry several [n] (xs: [n]f64) : (f64, f64, f64) =
  let (a, b) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x - x)) xs)
  in (a + b, f64.sum xs, f64.maximum xs)

-- | Prefixes of pairs, both of which are results.
-- ==
-- entry: pairs
-- input { [2.0, 3.0, 0.5] [1.0, 1.0, 4.0] } output { [2.0, 6.0, 3.0] [1.0, 4.0, 6.0] }
entry pairs [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) =
  unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip as bs))

-- | Additions to columns.
-- ==
-- entry: columns
-- input { [0i64, 1i64, 0i64, 1i64] [1.0, 2.0, 3.0, 4.0] [[10.0, 20.0], [30.0, 40.0]] } output { [[14.0, 20.0], [36.0, 40.0]] }
entry columns [n] [k] (is: [n]i64) (xs: [n]f64) (start: [k][2]f64) : [k][2]f64 =
  let first = reduce_by_index (copy start[:, 0]) (+) 0 is xs
  in transpose [first, start[:, 1]]

-- | Adjoints of a matrix whose columns are read as rows.
entry columns_adj [n] [k] [d] (is: [n]i64) (q: [d][k]f64) (xs: [n][d]f64) : [d][k]f64 =
  vjp (\q -> let qt = transpose q in f64.sum (map2 (\i x -> if i >= 0 && i < k then f64.cos (f64.sum (map2 (*) (#[unsafe] qt[i]) x)) else 0) is xs)) q 1
