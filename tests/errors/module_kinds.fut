module type plain = {val x : i32}
module type functor = (p: plain) -> plain
module f (p: plain) = {def x = p.x}
module a: plain = f -- error: this is a parametric module, but the module type lists members
module b: functor = {def x = 1} -- error: this is no parametric module
module c: {module inner: functor} = {module inner = {def x = 1}} -- error: `inner` is no parametric module
module d (t: functor) = t {def x = 1}
module e = d {def x = 1} -- error: this is no parametric module
module g = d f
