def f (n: i32) = loop _ for _i < n do 0 -- error: a loop over this pattern needs an initial value
