-- One addition to a row of equal elements: flatten/one_addition.hpp. It is the adjoint of a maximum, and of an element.

-- nests: grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [2.0, 3.0]
entry of_zeros [n][m] (xss: [n][m]f64) (ws: [n]f64) : [n][m]f64 = vjp (map f64.maximum) xss ws

-- nests: grid 1 store, grid 2 store
-- input [[1.0,2.0],[3.0,5.0]] [2.0, 3.0]
entry of_others [n][m] (xss: [n][m]f64) (ws: [n]f64) : [n][m]f64 = vjp (map (\xs -> f64.sum xs + f64.maximum xs)) xss ws
