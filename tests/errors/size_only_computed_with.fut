module m: {type sum [n]} = {type sum [n] = [n + 1]bool} -- error: has no array of the size `n`
module k: {type grown [n] = [n + 1]bool} = {type grown [n] = [n + 1]bool}
