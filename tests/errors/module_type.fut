module type m = { val x : i32 } -- error: module type
