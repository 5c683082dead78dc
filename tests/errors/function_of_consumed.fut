def set (xs: *[]i32) (x: i32) = xs with [0] = x
def f (xs: *[]i32) =
  let g = set xs -- error: this function was made by consuming something, so it cannot be kept or passed on
  in (g 0, g 1)
