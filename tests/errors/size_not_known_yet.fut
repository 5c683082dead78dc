def f (xs: []i32) =
  let none = [] : [][]i32 -- error: the size `k` is needed here, but only known later
  let some = [filter (> 0) xs]
  in none[0] == some[0]
