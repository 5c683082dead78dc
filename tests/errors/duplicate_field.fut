def f (x: i32) = {a = x, a = x} -- error: the field `a` occurs twice
