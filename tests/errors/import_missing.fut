import "imported/nowhere" -- error: there is no file `imported/nowhere.fut`
module m = import "none" -- error: there is no file `none.fut`
def x = m.x
