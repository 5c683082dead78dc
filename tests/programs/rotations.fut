-- Arrays that are put together from parts, and read element by element: rotations, neighbours, borders.

-- ==
-- entry: neighbours
-- input { [1f64, 2f64, 4f64, 8f64] } output { [8f64, 1f64, 2f64, 11f64] }
-- input { [5f64] } output { [0f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry neighbours [n] (xs: [n]f64) : [n]f64 =
  map3 (\l x r -> f64.abs (l + r - 2 * x)) (rotate (-1) xs) xs (rotate 1 xs)

-- Rows, columns and both, as in the game of life.
-- ==
-- entry: around
-- input { [[1i32, 0i32, 0i32], [0i32, 0i32, 5i32], [0i32, 7i32, 0i32]] }
-- output { [[12i32, 13i32, 13i32], [13i32, 13i32, 8i32], [13i32, 6i32, 13i32]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
entry around [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  let left = map (rotate (-1)) xss
  let right = map (rotate 1) xss
  let rows = map3 (map3 (\a b c -> a + b + c)) left xss right
  in map4 (map4 (\a b c x -> a + b + c - x)) (rotate (-1) rows) rows (rotate 1 rows) xss

-- Two arrays, of which the second is longer or shorter, in a map, a reduction and a scan; and one that is needed itself.
-- ==
-- entry: joined
-- input { [1f64, 2f64] [3f64] 3i64 } output { [2f64, 4f64, 6f64] 6f64 [1f64, 3f64, 6f64] [1f64, 2f64, 3f64] [2f64, 3f64, 4f64] }
-- input { empty([0]f64) [3f64] 1i64 } output { [6f64] 3f64 [3f64] [3f64] [4f64] }
entry joined [n] [m] (xs: [n]f64) (ys: [m]f64) (k: i64) : ([k]f64, f64, [k]f64, [k]f64, [k]f64) =
  let all () = xs ++ ys :> [k]f64
  let needed = map (+ 1) xs ++ map (+ 1) ys :> [k]f64
  let border = map (\x -> x - 1) needed
  in (map (* 2) (all ()), f64.sum (all ()), scan (+) 0 (all ()), border, needed)

-- Rows of two arrays stay as they are stored.
-- ==
-- entry: stacked
-- input { [[1i64, 2i64]] [[3i64, 4i64], [5i64, 6i64]] } output { [3i64, 7i64, 11i64] }
entry stacked [n] [m] [k] (xss: [n][k]i64) (yss: [m][k]i64) : []i64 = map i64.sum (xss ++ yss)

-- Consumed behind the rotation.
-- ==
-- entry: consumed
-- input { [1i64, 2i64, 3i64] } output { [2i64, 3i64, 1i64] [9i64, 2i64, 3i64] }
entry consumed [n] (xs: *[n]i64) : ([n]i64, *[n]i64) =
  let ys = map (+ 0) (rotate 1 xs)
  in (ys, xs with [0] = 9)

-- The gradient of a stencil on a ring.
-- ==
-- entry: gradient
-- input { [1f64, 2f64, 4f64] } output { [-8f64, -2f64, 10f64] }
entry gradient [n] (xs: [n]f64) : [n]f64 =
  vjp (\ys -> f64.sum (map2 (\x y -> (x - y) * (x - y)) ys (rotate 1 ys)) ) xs 1f64
