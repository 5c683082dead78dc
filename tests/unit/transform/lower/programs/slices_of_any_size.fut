-- What is written to a slice has the slice's size at run time, whatever its type says.
-- ==
-- entry: write
-- input { [1, 2, 3, 4, 5] [8, 9] 1i64 }
-- output { [1, 8, 9, 4, 5] }
-- input { [1, 2, 3, 4, 5] [7, 8, 9] 2i64 }
-- output { [1, 2, 7, 8, 9] }
-- ==
-- entry: write_two
-- input { [1, 2, 3, 4, 5] [8, 9] }
-- output { [1, 8, 9, 4, 5] }
-- input { [1, 2, 3, 4, 5] [7, 8, 9] }
-- error:

entry write [n] [m] (xs: *[n]i32) (ys: [m]i32) (i: i64) = xs with [i:i + m] = ys

entry write_two [n] [m] (xs: *[n]i32) (ys: [m]i32) = xs with [1:3] = ys
