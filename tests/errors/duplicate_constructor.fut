type t = #a i32 | #a f32 -- error: the constructor `#a` occurs twice
