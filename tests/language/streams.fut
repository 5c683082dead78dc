-- flatmap, hist, and functions that write into arrays as they go.

-- ==
-- entry: flat
-- input { [1i64, 0i64, 3i64] } output { [0i64, 0i64, 1i64, 2i64] 4i64 }
entry flat (ns: []i64) =
  let (_, _, _, all) = flatmap' iota ns
  in (all, length all)

-- ==
-- entry: counted
-- input { [0i64, 2i64, 2i64, 9i64] } output { [1, 0, 2] [0i64, 0i64, 4i64] }
entry counted (is: []i64) =
  (hist (+) 0i32 3 is (map (\_ -> 1) is),
   reduce_by_index (replicate 3 0) (+) 0 is is)
