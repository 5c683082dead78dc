-- Nothing more is said of values whose type could not be made out.

type t = unknown bool  -- error: there is no type `unknown`

def main (x: i32) : i32 =
  match (#right (#left x)) : t
  case #right (#right y) -> y
  case #right (#left y) -> y
  case _ -> 0
