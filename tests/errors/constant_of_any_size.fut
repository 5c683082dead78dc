def both [n] = (iota n, filter (> 5) (iota n)) -- error: the size `n` is not the size of anything that is given
