-- Slices of computed bounds, in range and out of it: what fails does nothing out of bounds, in derivatives neither.

-- ==
-- entry: windows
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 0i64] } output { [12.0, 2.0] }
-- input { [1.0, 2.0, 3.0, 4.0] [3i64, 0i64] } error: slice
-- input { [1.0, 2.0, 3.0, 4.0] [-1i64, 0i64] } error: slice
entry windows [n] [m] (xs: [n]f64) (is: [m]i64) = map (\i -> f64.product xs[i:i + 2]) is

-- ==
-- entry: windows_vjp
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 0i64] } output { [2.0, 1.0, 4.0, 3.0] }
-- input { [1.0, 2.0, 3.0, 4.0] [3i64, 0i64] } error: slice
entry windows_vjp [n] [m] (xs: [n]f64) (is: [m]i64) = vjp (\xs -> windows xs is) xs (replicate m 1)

-- The derivative does not need what the function computes.
-- ==
-- entry: sums_vjp
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 1i64] } output { [0.0, 1.0, 2.0, 1.0] }
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 5i64] } error: slice
entry sums_vjp [n] [m] (xs: [n]f64) (is: [m]i64) =
  vjp (\xs -> map (\i -> f64.sum xs[i:i + 2]) is) xs (replicate m 1)

-- Sizes differ from element to element.
-- ==
-- entry: sums_of_some_vjp
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 1i64] } output { [0.0, 1.0, 2.0, 2.0] }
-- input { [1.0, 2.0, 3.0, 4.0] [1i64, 3i64] } error: slice
entry sums_of_some_vjp [n] [m] (xs: [n]f64) (is: [m]i64) =
  vjp (\xs -> map (\i -> f64.i64 i * f64.sum xs[i:i + i]) is) xs (replicate m 1)

-- ==
-- entry: loop_vjp
-- input { [1.0, 2.0, 3.0, 4.0] 1i64 } output { [0.0, 7.0, 12.0, 5.0] }
-- input { [1.0, 2.0, 3.0, 4.0] 2i64 } error: slice
entry loop_vjp (xs: [4]f64) (j: i64) =
  vjp (\xs -> loop a = 1 for i < 2 do a * f64.sum xs[i + j:i + j + 2]) xs 1

-- An element that fails outside of the slice that is wanted.
-- ==
-- entry: slice_of_failing
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 1i64, 2i64] } output { 4.0 }
-- input { [1.0, 2.0, 3.0] [3i64, 0i64, 1i64, 2i64] } error: index
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 1i64, -1i64] } error: index
entry slice_of_failing [n] [m] (xs: [n]f64) (is: [m]i64) =
  let ys = map (\i -> 2 * xs[i] - 1) is
  in f64.sum ys[1:m - 1]

-- Backwards each element is wanted.
-- ==
-- entry: reverse_of_failing
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 1i64] } output { [3.0, 4.0, 9.0] }
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 3i64] } error: index
entry reverse_of_failing [n] [m] (xs: [n]f64) (is: [m]i64) =
  scan (+) 0 (reverse (map (\i -> 2 * xs[i] - 1) is))

-- Slices between numbers: they need no check where the size is a number, at whatever row.
-- ==
-- entry: numbers
-- input { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] [1i64, 0i64] 5i64 }
-- output { [[6.0, 7.0], [2.0, 3.0]] [[1.0, 9.0, 8.0, 4.0], [5.0, 9.0, 8.0, 8.0]] [3.0, 2.0] }
-- input { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] [1i64, 2i64] 5i64 } error: index
-- input { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] [1i64, 0i64] 2i64 } error: slice
entry numbers [n] [m] (xss: [n][4]f64) (is: [m]i64) (k: i64) : ([m][2]f64, [n][4]f64, [2]f64) =
  (map (\i -> xss[i, 1:3]) is,
   map (\xs -> copy xs with [1:3] = [9, 8]) xss,
   (map f64.i64 (1...k))[2:0:-1] :> [2]f64)
