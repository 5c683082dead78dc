module type mt = {type t type u 'a type v '^a}
module type a = mt with t 'a = a -- error: cannot refine the type `t`
module type b = mt with u = i32 -- error: cannot refine the type `u`
module type c = mt with v 'a = a -- error: cannot refine the type `v`
module type d = mt with u 'b = (b, b)
