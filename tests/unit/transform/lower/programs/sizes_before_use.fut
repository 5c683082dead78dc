-- The argument of a pipe comes before the function, which may need sizes that the argument makes.
-- ==
-- input { [-1, 2, 3] }
-- output { [12, 13] }

def main (xs: []i32) =
  filter (> 0) xs |> map2 (+) (rep 10)
