def look_up [n] [m] (table: [n]f64) (places: [m]i64) : [m]f64 = map (\i -> table[i]) places
