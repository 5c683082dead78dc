module m = {def x = 1}
module n = m {} -- error: this module takes no parameter
module o = f64 m -- error: this module takes no parameter
