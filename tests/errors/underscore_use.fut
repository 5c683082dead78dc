def f (_x: i32) = _x + 1 -- error: `_x` begins with an underscore, which says that it is not used
