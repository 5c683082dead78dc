-- Its entry is none of the program that imports it.
local import "deep/scaling"

def area (x: f64) = x * x * factor / factor
entry main (x: f64) = area x
