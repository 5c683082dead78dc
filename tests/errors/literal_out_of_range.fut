def f (x: u8) = x + 300 -- error: 300 does not fit into `u8`
