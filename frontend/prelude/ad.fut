-- Derivatives. A tangent looks like the argument, an adjoint like the result.
--
-- The forms whose name ends in 2 yield the function's result as well; jmp and mjp take several seeds at once.

def jvp2 'a 'b : (f: a -> b) -> (x: a) -> (x_tan: a) -> (b, b) = intrinsics.jvp2
def vjp2 'a 'b : (f: a -> b) -> (x: a) -> (y_adj: b) -> (b, a) = intrinsics.vjp2
def jmp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (x_tans: [n]a) -> (b, [n]b) = intrinsics.jmp2
def mjp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (y_adjs: [n]b) -> (b, [n]a) = intrinsics.mjp2

def jvp 'a 'b (f: a -> b) (x: a) (x_tan: a) : b = (jvp2 f x x_tan).1
def vjp 'a 'b (f: a -> b) (x: a) (y_adj: b) : a = (vjp2 f x y_adj).1
def jmp 'a 'b [n] (f: a -> b) (x: a) (x_tans: [n]a) : [n]b = (jmp2 f x x_tans).1
def mjp 'a 'b [n] (f: a -> b) (x: a) (y_adjs: [n]b) : [n]a = (mjp2 f x y_adjs).1

-- | f, whose return sweep is `f_vjp`: from the result and its adjoint to the adjoint of the argument.
def with_vjp 'a 'b : (f: a -> b) -> (f_vjp: b -> b -> a) -> (x: a) -> b = intrinsics.with_vjp

-- | The same, where f also yields what only its return sweep needs.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f_vjp: (c, b) -> a) (x: a) : b =
  (with_vjp f (\(tape, _) (_, y_adj) -> f_vjp (tape, y_adj)) x).1
