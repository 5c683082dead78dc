type t = #a i32 | #b bool
def f (v: t) : i32 =
  match v -- error: no case matches `#b false`
  case #a x -> x
  case #b true -> 1
