module type mt = {type t [n] 'a}
module a: mt = {type t [n] 'a = [n]a}
module b: mt = {type t [n] = [n]i32} -- error: the type `t` has [n] parameters in the module, but [n] 'a in the module type
module c: mt = {type t = i32} -- error: the type `t` has no parameters in the module
