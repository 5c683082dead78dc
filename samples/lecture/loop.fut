def newton (a: f64) : f64 = loop x = 1 for _i < 5i64 do (x + a / x) / 2

entry slope (a: f64) : f64 = vjp newton a 1

def root (a: f64) : f64 = with_vjp newton (\y y_adj -> y_adj / (2 * y)) a
