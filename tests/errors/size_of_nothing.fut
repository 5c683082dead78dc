def f [n] (x: i32) = i64.i32 x + n -- error: the size `n` is not the size of anything that is given

def g (xs: []i32) =
  let [m] ys = filter (> 0) xs -- error: the size `m` is not the size of anything that is given
  in (m, ys)

type t [k] = i32 -- error: the size `k` is not the size of anything that is given
