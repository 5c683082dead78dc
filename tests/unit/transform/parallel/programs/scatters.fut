-- Scatters of what a nest computes: flatten/scatters.hpp.

-- nests: grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,7i64]
entry values_and_places [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  scatter (replicate n 0) (map (\i -> i - 1) is) (map (* 2) xs)

-- nests: grid 1 store scatter
-- input [1.0,2.0,3.0] [2i64,0i64,7i64]
entry that_others_need [n] (xs: [n]f64) (is: [n]i64) : ([n]f64, [n]i64) =
  let js = map (\i -> i - 1) is in (scatter (replicate n 0) js xs, js)

-- nests: grid 1 store, grid 1 reduce+1, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,7i64]
entry that_are_read_in_between [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  let js = map (\i -> i %% n) is in let j = reduce i64.max 0 (map (\i -> js[i %% n]) is) in scatter (replicate n (f64.i64 j)) js xs

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,7i64]
entry into_what_the_caller_gave [n] (xs: *[n]f64) (is: [n]i64) : *[n]f64 =
  let ys = map (\i -> xs[i %% n] * 2) is in scatter xs is ys

-- nests: grid 1 store, grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry into_what_is_read [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  let zs = map (+ 1) xs in let ys = map (\i -> zs[(i + 1) %% n] * 2) is in scatter zs is ys

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry of_other_elements [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  let ys = map (* 2) xs in scatter (replicate n 0) is (map (\i -> ys[(i + 1) %% n]) is)

-- nests: grid 1 scatter
-- input [[1.0,2.0],[3.0,4.0]] [1i64,0i64]
entry of_rows [n][m] (xss: [n][m]f64) (is: [n]i64) : [n][m]f64 =
  scatter (replicate n (replicate m 0)) (map (\i -> (i + 1) %% n) is) xss

-- nests: grid 1 store store, grid 1 scan, grid 1 scatter
-- input [1.0,-2.0,3.0]
-- input empty([0]f64)
entry filtered [n] (xs: [n]f64) : []f64 = filter (> 0) xs

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry of_neighbours [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  let ys = map (* 2) xs in scatter (replicate n 0) is (map (\i -> #[unsafe] ys[(i + 1) %% n]) is)

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry of_elements_and_neighbours [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  let ys = map (* 2) xs in scatter (replicate n 0) is (map2 (\y i -> y + ys[(i + 1) %% n]) ys is)

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] 2i64
entry of_fewer_elements [n] (xs: [n]f64) (m: i64) : [n]f64 =
  let ys = map (* 2) xs in scatter (replicate n 0) (map (\i -> n - 1 - i) (iota m)) (map (\i -> #[unsafe] ys[i]) (iota m))

-- nests: grid 1 store, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry of_what_is_updated_meanwhile [n] (xs: *[n]f64) (is: [n]i64) : ([n]f64, *[n]f64) =
  let ys = map (* 2) xs
  let xs = xs with [0] = 9
  in (scatter (replicate n 0) is ys, xs)

-- nests: grid 1 scatter scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry to_several_places [n] (xs: [n]f64) (is: [n]i64) : ([n]f64, [n]f64) =
  let (ys, zs) = unzip (map (\x -> (x * 2, x * x)) xs) in (scatter (replicate n 0) is ys, scatter (replicate n 0) is zs)

-- nests: grid 1 store scatter scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry some_of_which_others_need [n] (xs: [n]f64) (is: [n]i64) : ([n]f64, [n]f64, [n]f64) =
  let (ys, zs) = unzip (map (\x -> (x * 2, x * x)) xs) in (scatter (replicate n 0) is ys, scatter (replicate n 0) is zs, zs)

-- nests: grid 1 scatter, grid 1 scatter
-- input [1.0,2.0,3.0] [2i64,0i64,1i64]
entry of_what_is_scattered [n] (xs: [n]f64) (is: [n]i64) : [n]f64 =
  scatter (replicate n 0) is (scatter (replicate n 0) is (map (* 2) xs))

-- nests: grid 1 store, grid 1 store, grid 1 add scatter scatter
-- input [1.0,2.0] [3i32,0i32,9i32] [1.0,2.0,3.0] [4.0,5.0,6.0] [1.0,2.0,3.0]
entry of_points_that_add [n] [m] (table: [m]f64) (keys: [n]i32) (xs: [n]f64) (ys: [n]f64) (seeds: [n]f64) : ([m]f64, [n]f64, [n]f64) =
  vjp (\(table, xs, ys) -> #[reorder(keys)] map3 (\k x y -> #[unsafe] table[k / 7] * x * y) keys xs ys) (table, xs, ys) seeds
