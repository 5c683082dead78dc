type t = []i32 -- error: `t` holds arrays of unknown size
