-- What is no number stays none, also where compilers know that a square has no sign, and leave a NaN its own: of infinity - infinity it is set.

def square (x: f64) : f64 = 1 + (x - x) * (x - x)
def square_f32 (x: f32) : f32 = 1 + (x - x) * (x - x)

-- ==
-- entry: exponentials logarithms hyperbolics
-- input { [f64.inf, -f64.inf, f64.nan, f64.inf, f64.inf, f64.inf, f64.inf, f64.inf, f64.inf] }
entry exponentials [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  unzip4 (map (\x -> (f64.exp (square x), f64.exp2 (square x), f64.exp10 (square x), f64.expm1 (square x))) xs)
entry logarithms [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  unzip4 (map (\x -> (f64.log (square x), f64.log2 (square x), f64.log10 (square x), f64.log1p (square x))) xs)
entry hyperbolics [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  unzip3 (map (\x -> (f64.sinh (square x), f64.cosh (square x), f64.tanh (square x))) xs)

-- ==
-- entry: exponentials_f32 logarithms_f32 hyperbolics_f32
-- input { [f32.inf, -f32.inf, f32.nan, f32.inf, f32.inf, f32.inf, f32.inf, f32.inf, f32.inf] }
entry exponentials_f32 [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  unzip4 (map (\x -> (f32.exp (square_f32 x), f32.exp2 (square_f32 x), f32.exp10 (square_f32 x), f32.expm1 (square_f32 x))) xs)
entry logarithms_f32 [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  unzip4 (map (\x -> (f32.log (square_f32 x), f32.log2 (square_f32 x), f32.log10 (square_f32 x), f32.log1p (square_f32 x))) xs)
entry hyperbolics_f32 [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  unzip3 (map (\x -> (f32.sinh (square_f32 x), f32.cosh (square_f32 x), f32.tanh (square_f32 x))) xs)
