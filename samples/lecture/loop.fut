def newton (a: f64) : f64 = loop x = 1 for _i < 5i64 do (x + a / x) / 2
