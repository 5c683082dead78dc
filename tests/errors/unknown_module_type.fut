module m: mt = {def x = 1} -- error: there is no module type `mt`
module type a = b with t = i32 -- error: there is no module type `b`
module k = {module type mt = {}}
module n = \(p: k.mt) -> \(q: k.mu) -> {} -- error: there is no module type `k.mu`
