module a: {type t} = {type^ t = i32 -> i32} -- error: the module has `type^ t`, but `type t` is expected
module b: {type t} = {type~ t = []i32} -- error: the module has `type~ t`, but `type t` is expected
module c: {type~ t} = {type~ t = []i32}
module f (p: {type^ a}) = {
  module m: {type t} = {type^ t = p.a} -- error: the module has `type^ t`
}
type g = i32 -> i32 -- error: `g` holds functions: write `type^`
type h '^a = a -- error: `h` holds functions
