def f x y = x == y -- error: the type of what is compared here cannot be inferred
