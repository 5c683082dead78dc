-- Reductions whose operator is not one of those with a short form.

-- | Composition of affine functions x -> a x + b.
def compose (a1: f64, b1: f64) (a2: f64, b2: f64) : (f64, f64) = (a1 * a2, b1 * a2 + b2)

def chain [n] (as: [n]f64) (bs: [n]f64) : (f64, f64) = reduce compose (1, 0) (zip as bs)

-- | The largest element, and the first index that has it.
entry argmax [n] (xs: [n]f64) : (f64, i64) =
  let better (x, i) (y, j) = if y > x || (y == x && j < i) then (y, j) else (x, i)
  in reduce better (f64.lowest, i64.highest) (zip xs (iota n))

entry chain_value [n] (as: [n]f64) (bs: [n]f64) : (f64, f64) = chain as bs

-- | (2 x + 1) then (3 x + 5): b = 3 b1 + 5.
-- ==
-- entry: chain_vjp
-- input { [2f64, 3f64] [1f64, 5f64] 1f64 1f64 } output { [3f64, 3f64] [3f64, 1f64] }
entry chain_vjp [n] (as: [n]f64) (bs: [n]f64) (a_adj: f64) (b_adj: f64) : ([n]f64, [n]f64) =
  vjp (\(as, bs) -> chain as bs) (as, bs) (a_adj, b_adj)

entry rows_vjp [n] [m] (ass: [n][m]f64) (bss: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  vjp (\(ass, bss) -> unzip (map2 chain ass bss)) (ass, bss) (replicate n 1, replicate n 2)

-- The largest, and what comes with it; and the same by forward mode twice.
-- ==
-- entry: largest_of_three
-- input { [1.0, 3.0] [1.0, 2.0] [4.0, 5.0] } output { 3.0 2.0 5.0 16.0 }
entry largest_of_three (xs: []f64) (ys: []f64) (zs: []f64) : (f64, f64, f64, f64) =
  let (x, y, z) =
    reduce (\(x, y, z) (x', y', z') -> (f64.max x x', if x' > x then y' else y, if x' > x then z' else z)) (-f64.inf, 0, 0) (zip3 xs ys zs)
  in (x, y, z, jvp (\xs -> jvp (\xs -> f64.maximum xs * xs[1]) xs (map f64.abs ys)) xs (map (2 +) ys))

-- The row that belongs to the least product: one of the two, as it is.
-- ==
-- entry: row_of_least
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 2.0], [-1.0, 0.5]] } output { [[-1.0, 0.5], [-1.0, 0.5]] }
entry row_of_least [n] [m] (zss: [n][m]f64) (css: [m][m]f64) : [n][m]f64 =
  map (\zs ->
         let least (x, xs) (y, ys) = if x < y then (x, xs) else (y, ys)
         in (reduce_comm least (f64.inf, replicate m 0) (map (\cs -> (cs[0] * zs[0], cs)) css)).1) zss

-- Of elements that tie the first one wins, in both modes, however the operator is written.
-- ==
-- entry: first_of_ties
-- input { [2.0, 1.0, 2.0, 1.0] } output { [0.0, 1.0, 0.0, 0.0] [0.0, 1.0, 0.0, 0.0] }
entry first_of_ties [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  let f xs = reduce (\x y -> f64.min y x) f64.inf xs
  in (vjp f xs 1, tabulate n (\i -> jvp f xs (replicate n 0 with [i] = 1)))

-- The second derivative of a maximum that starts from an element.
-- ==
-- entry: from_element
-- input { [3.0, 2.0, 0.5] } output { [10.0, 1.0, 0.0] }
-- input { [1.0, 2.0, 0.5] } output { [0.0, 20.0, 0.0] }
entry from_element (xs: [3]f64) : [3]f64 =
  vjp (\xs -> vjp (\xs -> reduce f64.max xs[0] xs * xs[1]) xs 1) xs [1, 10, 100]
