-- Accumulators, as programs reach them.

type~ acc 't = intrinsics.acc t

def write_twice [k] (acc: *acc ([k]i32)) (i: i64) : *acc ([k]i32) =
  let acc = intrinsics.acc_write acc i (i32.i64 i)
  in intrinsics.acc_write acc (i + 1) 10

-- ==
-- entry: added
-- input { [1, 1, 1, 1] [0i64, 2i64, 3i64, 7i64] } output { [1, 11, 3, 14] }
entry added [k] [n] (xs: *[k]i32) (is: [n]i64) : *[k]i32 =
  intrinsics.hist_stream xs (+) 0 write_twice is

-- ==
-- entry: overwritten
-- input { [1, 1, 1, 1, 1] [0i64, 3i64, 9i64] } output { [0, 10, 1, 3, 10] }
entry overwritten [k] [n] (xs: *[k]i32) (is: [n]i64) : *[k]i32 =
  intrinsics.scatter_stream xs write_twice is
