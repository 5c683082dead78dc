module type mt = {type t type u = i32 module inner: {type v}}
module type a = mt with t = bool with inner.v = bool
module type b = mt with s = bool -- error: the module type has no type `s`
module type c = mt with inner.t = bool -- error: the module type has no type `inner.t`
module type d = mt with u = bool -- error: `u` is not an abstract type here
module type e = mt with t = bool with t = bool -- error: `t` is not an abstract type here
