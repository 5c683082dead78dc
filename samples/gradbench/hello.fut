-- hello: the square of a number, and its derivative.
entry square (x: f64) : f64 = x * x

entry derivative (x: f64) : f64 = vjp square x 1
