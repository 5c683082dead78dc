module type mt = {type t = i32 module inner: {type u = bool}}
module a: mt = {type t = i32 module inner = {type u = bool}}
module b: mt = {type t = i64 module inner = {type u = bool}} -- error: the module has `type t = i64`, but `type t = i32` is expected
module c: mt = {type t = i32 module inner = {type u = i32}} -- error: the module has `type inner.u = i32`
module f (p: {type t = i64 val x : t}) = {def x = p.x}
module d = f {type t = i32 def x = 1i32} -- error: the module has `type t = i32`, but `type t = i64` is expected
module g: ((p: {type t val x : t}) -> {val x : p.t}) = f -- error: but `type t = i64` is expected
