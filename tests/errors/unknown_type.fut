def f (x: real) = x -- error: there is no type `real`
