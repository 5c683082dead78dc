-- The derivative of loops whose arrays change size; what is expected is what forward mode gives.

def grow (k: i64) (xs: []f64) : []f64 = loop ys = xs for i < k do ys ++ map (\y -> y * y + f64.i64 i) ys

-- ==
-- entry: growing
-- input { [1f64, 2f64, 0.5f64] 2i64 } output { [30f64, 1164f64, 5.0625f64] }
-- input { [1f64, 2f64] 0i64 } output { [2f64, 4f64] }
-- input { empty([0]f64) 2i64 } output { empty([0]f64) }
entry growing [n] (xs: [n]f64) (k: i64) : [n]f64 = vjp (\ys -> f64.sum (map (\y -> y * y) (grow (k %% 4) ys))) xs 1

-- ==
-- entry: halving
-- input { [1f64, 2f64, 0.5f64, 3f64, -1f64] } output { [-3f64, -4f64, 0f64, -1f64, 8f64] }
-- input { [4f64] } output { [1f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry halving [n] (xs: [n]f64) : [n]f64 =
  let halves (ys: []f64) : []f64 = loop (ys: []f64) = ys while length ys > 1 do
    let k = length ys / 2 in map2 (\a b -> a * b + 1) (take k ys) (drop (length ys - k) ys)
  in vjp (\ys -> f64.sum (halves ys)) xs 1

-- With a variable from outside, and by a filter.
-- ==
-- entry: keeping
-- input { [1f64, 2f64, 0.5f64, 3f64, -1f64] 3i64 1.5f64 } output { [3.375f64, 3.375f64, 3.375f64, 3.375f64, 0f64] 43.875f64 }
entry keeping [n] (xs: [n]f64) (k: i64) (c: f64) : ([n]f64, f64) =
  let keep (ys: []f64) (c: f64) : []f64 = loop (ys: []f64) = ys for i < k %% 4 do filter (> f64.i64 i - 4) (map (* c) ys)
  in vjp (\(ys, c) -> f64.sum (keep ys c)) (xs, c) 1

-- Updated in place.
-- ==
-- entry: updating
-- input { [2f64, 0.5f64] 2i64 } output { [8.5f64, 34f64] }
-- input { [3f64] 0i64 } output { [1f64] }
entry updating [n] (xs: [n]f64) (k: i64) : [n]f64 =
  let update (ys: *[]f64) : *[]f64 = loop (ys: *[]f64) = ys for _i < (if n == 0 then 0 else k %% 3) do
    let ys = ys with [0] = ys[0] * ys[length ys - 1]
    let ys = ys with [length ys - 1] = ys[0] + 1
    in ys ++ [ys[0] * 2]
  in vjp (\ys -> f64.sum (update (copy ys))) xs 1

-- In each thread, and once more.
-- ==
-- entry: in_map
-- input { [2f64, 1f64, 3f64, 4.5f64] } output { [587f64, 13f64, 3f64, 48f64] }
entry in_map [n] (xs: [n]f64) : [n]f64 =
  vjp (\zs -> f64.sum (map (\z -> f64.sum (grow (if z > -9 && z < 9 then i64.f64 z %% 3 else 0) [z, 2 * z])) zs)) xs 1

-- ==
-- entry: twice
-- input { [2f64, 0.5f64] 2i64 } output { [52f64, 7f64] }
entry twice [n] (xs: [n]f64) (k: i64) : [n]f64 =
  jvp (\zs -> vjp (\ys -> f64.sum (grow (k %% 3) ys)) zs 1) xs (replicate n 1)
