-- Arrays that are put together between nests: flatten/concatenations.hpp, and flatten/uniform_literals.hpp.

-- nests: grid 1 store
-- host: 1
-- input 2.0 [1.0,3.0]
-- input 2.0 empty([0]f64)
entry a_scalar_before_a_map [n] (x: f64) (ys: [n]f64) : []f64 = [x] ++ map (* 2) ys

-- nests: grid 1 store
-- input 2.0 [1.0,3.0] [4.0]
-- input 2.0 empty([0]f64) [4.0]
entry a_scalar_between_maps [n][m] (x: f64) (ys: [n]f64) (zs: [m]f64) : []f64 = map (* 2) ys ++ [x] ++ map (+ 1) zs

-- nests: grid 1 store store
-- input 2.0 [1.0,3.0]
entry components [n] (x: f64) (ys: [n]f64) : ([]f64, []f64) = unzip ([(x, 1)] ++ map (\y -> (y * 2, y + 1)) ys)

-- nests: grid 1 store
-- input 2.0 [1.0,3.0]
entry of_what_the_caller_gave [n] (x: f64) (ys: [n]f64) : []f64 = [x, x] ++ ys

-- nests:
-- input [2.0] [1.0,3.0]
entry two_of_what_the_caller_gave [n][m] (xs: [n]f64) (ys: [m]f64) : []f64 = xs ++ ys

-- nests: grid 1 store
-- input [1.0,3.0] [4.0,5.0,6.0]
entry one_thread_computes_the_scalar [n] (xs: [2]f64) (ys: [n]f64) : []f64 = [f64.sum (map (* 3) xs)] ++ map (* 2) ys

-- nests: thread 1 reduce, grid 1 store
-- input [1.0,3.0] [4.0,5.0,6.0]
entry others_need_the_scalar [n] (xs: [2]f64) (ys: [n]f64) : ([]f64, f64) = let s = f64.sum (map (* 3) xs) in ([s] ++ map (* 2) ys, s)

-- nests: thread 1 reduce, grid 1 store
-- input [1.0,3.0] [4.0,5.0,6.0]
entry many_have_the_scalar [n] (xs: [2]f64) (ys: [n]f64) : []f64 = let s = f64.sum (map (* 3) xs) in replicate 3 s ++ map (* 2) ys

-- nests: grid 1 store, grid 1 store
-- input 2.0 [1.0,3.0]
entry others_need_the_map [n] (x: f64) (ys: [n]f64) : ([]f64, []f64) = let zs = map (* 2) ys in ([x] ++ zs, zs)

-- nests: grid 1 store, grid 1 store
-- input 2.0 [1.0,3.0]
entry twice_the_map [n] (x: f64) (ys: [n]f64) : []f64 = let zs = map (* 2) ys in [x] ++ zs ++ zs

-- nests: grid 1 store store, grid 1 store
-- input 2.0 [1.0,3.0]
entry others_need_a_component [n] (x: f64) (ys: [n]f64) : ([]f64, []f64) = let (as, bs) = unzip (map (\y -> (y * 2, y + 1)) ys) in ([x] ++ as, bs)

-- nests: grid 1 scan, grid 1 store
-- input 2.0 [1.0,3.0]
entry a_scan [n] (x: f64) (ys: [n]f64) : []f64 = [x] ++ scan (+) 0 ys

-- nests: grid 1 store, grid 1 store
-- input 2.0 [1.0,3.0] 1i64
entry what_it_reads_is_updated [n] (x: f64) (ys: *[n]f64) (i: i64) : ([]f64, []f64) = let zs = map (* 2) (copy ys) let us = ys with [0] = x in ([x] ++ zs, us)

-- nests: grid 2 store
-- input 2.0 [[1.0,3.0],[4.0,5.0]]
entry rows [n] (x: f64) (yss: [n][2]f64) : [][]f64 = [[x, x]] ++ map (map (* 2)) yss

-- nests: grid 1 store
-- input [1.0,2.0]
entry of_each_row [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sum ([x] ++ [x, 2 * x])) xs

-- nests: grid 1 store
-- input [1i64,2i64] [0i64]
-- failing input [1i64,2i64] [2i64]
entry a_map_that_can_fail [n][m] (xs: [n]i64) (is: [m]i64) : []i64 = [7] ++ map (\i -> xs[i]) is

-- nests: grid 1 store, grid 1 store
-- input 2.0 [1.0,3.0]
entry one_after_the_other [n] (x: f64) (ys: [n]f64) : []f64 = [x] ++ map (* 2) ([x] ++ map (+ 1) ys)

-- nests: grid 1 store, grid 1 store
-- input 2.0 [1.0,3.0,6.0] [4.0,5.0]
entry of_other_widths (x: f64) (ys: [3]f64) (zs: [2]f64) : ([4]f64, [4]f64) = ([x] ++ map (* 2) ys, [x, x] ++ map (+ 1) zs)

-- nests: grid 1 store
-- input [[1.0,2.0],[3.0,4.0]]
entry literals_of_threads [n] (xss: [n][2]f64) : [n]f64 = map (\xs -> let ys = [xs[0], xs[0], xs[0]] let zs = [xs[0], xs[1]] in f64.sum ys + f64.sum zs) xss

-- nests: grid 1 store
-- input 2.0 [1.0,3.0,6.0]
entry inside_of_a_loop (x: f64) (ys: [3]f64) : [3]f64 = loop ys for _i < 2 do [x * ys[2]] ++ take 2 ys :> [3]f64

-- nests: grid 1 store
-- input 2.0 [[1.0,3.0],[4.0,5.0]]
entry rows_of_threads [n] (x: f64) (yss: [n][2]f64) : [][2]f64 = replicate 2 [x, x] ++ map (\ys -> [ys[0] + ys[1], x]) yss

-- nests: thread 1 reduce, grid 1 store
-- input [1.0,3.0]
entry twice_the_scalar (xs: [2]f64) : [2]f64 = let r = [f64.sum (map (* 3) xs)] in r ++ r

-- Two of one size, whose parts are not.
-- nests: grid 1 store store, grid 1 store, grid 1 store
-- input [1.0,2.0,3.0] 5.0
entry parts_of_other_widths (xs: [3]f64) (a: f64) =
  let ys = map (* 2) xs
  let zs = map (+ 1) xs
  in ([a] ++ ys, zs ++ [a])
