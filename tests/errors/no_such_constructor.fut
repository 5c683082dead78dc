type t = #a | #b i32
def f (v: t) : i32 =
  match v
  case #b x -> x
  case #c -> 0 -- error: there is no constructor `#c` of that form
