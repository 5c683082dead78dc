def one = 1i64  -- error: a byte order mark
