-- Every kind of definition with nothing in it.
module m = {}
module type t = {}
open m
local module f (x: t): t = x
type^ a = ()
entry main = ???
