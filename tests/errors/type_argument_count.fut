type pair 'a 'b = (a, b)
def f (x: pair i32) = x -- error: the type `pair` takes 2 arguments, not 1
