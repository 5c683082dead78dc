-- Reductions of an array and the adjoints of its elements: by operators with rules of their own, and by one without.
def general [n] (xs: [n]f32) : f32 = reduce (\x y -> x + y + x * y) 0 xs

entry plus_primal [n] (xs: [n]f32) = f32.sum xs
entry plus_gradient [n] (xs: [n]f32) = vjp f32.sum xs 1
entry times_primal [n] (xs: [n]f32) = f32.product xs
entry times_gradient [n] (xs: [n]f32) = vjp f32.product xs 1
entry least_primal [n] (xs: [n]f32) = f32.minimum xs
entry least_gradient [n] (xs: [n]f32) = vjp f32.minimum xs 1
entry general_primal [n] (xs: [n]f32) = general xs
entry general_gradient [n] (xs: [n]f32) = vjp general xs 1
