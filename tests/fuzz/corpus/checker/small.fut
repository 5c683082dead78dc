def f [n] (x: [n]i32) : [n]i32 = let (a, _) = (x, x) in if true then a else match {b = x} case {b} -> b
