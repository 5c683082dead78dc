entry pairs xs (i: i64) = map (\x -> (xs[i], x)) xs -- error: the type of this parameter of an entry point is not known
