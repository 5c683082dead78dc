-- Accumulators by operators that no thread of a grid can apply: in_order/combine.cpp. What adds to them runs in order, in loops of
-- the host.

type~ acc 't = intrinsics.acc t

-- nests: grid 1 store
-- input 7i64 [0i64,1i64,3i64,0i64] [3i64,4i64,5i64,6i64]
entry what_follows [n] (p: i64) (is: [n]i64) (xs: [n]i64) : [3]i64 =
  let op a b = (a + b) %% (i64.max 1 p)
  let add (acc: *acc ([3]i64)) (i, x) = intrinsics.acc_write acc i x
  in map (* 2) (intrinsics.hist_stream (replicate 3 0) op 0 add (zip is xs))

-- nests: 
-- input 7i64 [0i64,1i64,3i64,0i64] [3i64,4i64,5i64,6i64] 2i64
entry in_a_loop [n] (p: i64) (is: [n]i64) (xs: [n]i64) (m: i64) : [3]i64 =
  let op a b = (a + b) %% (i64.max 1 p)
  let add (acc: *acc ([3]i64)) (i, x) = intrinsics.acc_write acc i x
  in loop bins = replicate 3 1 for j < m do intrinsics.hist_stream bins op 0 add (zip is xs)

-- nests: grid 1 add
-- input 7i64 [0i64,1i64,3i64,0i64] [3i64,4i64,5i64,6i64]
entry others_inside [n] (p: i64) (is: [n]i64) (xs: [n]i64) : [3]i64 =
  let op a b = (a + b) %% (i64.max 1 p)
  let add (acc: *acc ([3]i64)) (i, x) =
    let pair = intrinsics.scatter_stream (replicate 2 x) (\(part: *acc ([2]i64)) j -> intrinsics.acc_write part j (x * j + p)) (iota 2)
    in intrinsics.acc_write acc i (pair[0] * pair[1])
  in intrinsics.hist_stream (replicate 3 0) op 0 add (zip is xs)

-- nests: 
-- input 7i64 [0i64,1i64,3i64,0i64] [3i64,4i64,5i64,6i64]
entry of_their_own_inside [n] (p: i64) (is: [n]i64) (xs: [n]i64) : [3]i64 =
  let op a b = (a + b) %% (i64.max 1 p)
  let add (acc: *acc ([3]i64)) (i, x) =
    let pair = intrinsics.hist_stream (replicate 2 x) op 0 (\(part: *acc ([2]i64)) j -> intrinsics.acc_write part (j % 2) (x * j)) is
    in intrinsics.acc_write acc i (pair[0] + pair[1])
  in intrinsics.hist_stream (replicate 3 0) op 0 add (zip is xs)
