import "loop"

-- | The same function, with a derivative by hand: of the result and its adjoint.
def root (a: f64) : f64 = with_vjp newton (\y y_adj -> y_adj / (2 * y)) a
