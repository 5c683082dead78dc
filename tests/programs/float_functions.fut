-- Functions of the modules of float types; the numbers are those of Python's module math.

-- ==
-- entry: of_gamma
-- input { [0.25, -0.75, 1.5, 2.0] } output { [3.6256099082219087, -4.834146544295877, 0.886226925452758, 1.0] }
entry of_gamma (xs: []f64) : []f64 = map f64.gamma xs

-- ==
-- entry: of_lgamma
-- input { [0.25, -0.75, 1.5, 2.0] } output { [1.2880225246980772, 1.5757045971498589, -0.12078223763524543, 0.0] }
entry of_lgamma (xs: []f64) : []f64 = map f64.lgamma xs

-- ==
-- entry: of_erf
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.2763263901682369, -0.7111556336535151, 0.9661051464753108, 0.9953222650189527] }
entry of_erf (xs: []f64) : []f64 = map f64.erf xs

-- ==
-- entry: of_erfc
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.7236736098317631, 1.7111556336535152, 0.033894853524689274, 0.004677734981047265] }
entry of_erfc (xs: []f64) : []f64 = map f64.erfc xs

-- ==
-- entry: of_expm1
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.2840254166877415, -0.5276334472589853, 3.481689070338065, 6.38905609893065] }
entry of_expm1 (xs: []f64) : []f64 = map f64.expm1 xs

-- ==
-- entry: of_sinpi
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.7071067811865475, -0.7071067811865476, -1.0, 0.0] }
entry of_sinpi (xs: []f64) : []f64 = map f64.sinpi xs

-- ==
-- entry: of_cospi
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.7071067811865476, -0.7071067811865475, 0.0, 1.0] }
entry of_cospi (xs: []f64) : []f64 = map f64.cospi xs

-- ==
-- entry: of_atanpi
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.07797913037736932, -0.20483276469913345, 0.3128329581890012, 0.35241638234956674] }
entry of_atanpi (xs: []f64) : []f64 = map f64.atanpi xs

-- ==
-- entry: of_cbrt
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.6299605249474366, -0.9085602964160698, 1.1447142425533319, 1.2599210498948732] }
entry of_cbrt (xs: []f64) : []f64 = map f64.cbrt xs

-- ==
-- entry: of_exp2
-- input { [0.25, -0.75, 1.5, 2.0] } output { [1.189207115002721, 0.5946035575013605, 2.8284271247461903, 4.0] }
entry of_exp2 (xs: []f64) : []f64 = map f64.exp2 xs

-- ==
-- entry: of_exp10
-- input { [0.25, -0.75, 1.5, 2.0] } output { [1.7782794100389228, 0.1778279410038923, 31.622776601683793, 100.0] }
entry of_exp10 (xs: []f64) : []f64 = map f64.exp10 xs

-- ==
-- entry: of_round
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.0, -1.0, 2.0, 2.0] }
entry of_round (xs: []f64) : []f64 = map f64.round xs

-- ==
-- entry: of_trunc
-- input { [0.25, -0.75, 1.5, 2.0] } output { [0.0, 0.0, 1.0, 2.0] }
entry of_trunc (xs: []f64) : []f64 = map f64.trunc xs

-- ==
-- entry: of_rsqrt
-- input { [0.125, 1.0, 2.5, 100.0] } output { [2.82842712474619, 1.0, 0.6324555320336759, 0.1] }
entry of_rsqrt (xs: []f64) : []f64 = map f64.rsqrt xs

-- ==
-- entry: of_log1p
-- input { [0.125, 1.0, 2.5, 100.0] } output { [0.11778303565638346, 0.6931471805599453, 1.252762968495368, 4.61512051684126] }
entry of_log1p (xs: []f64) : []f64 = map f64.log1p xs

-- ==
-- entry: of_log2
-- input { [0.125, 1.0, 2.5, 100.0] } output { [-3.0, 0.0, 1.3219280948873624, 6.643856189774724] }
entry of_log2 (xs: []f64) : []f64 = map f64.log2 xs

-- ==
-- entry: of_log10
-- input { [0.125, 1.0, 2.5, 100.0] } output { [-0.9030899869919435, 0.0, 0.3979400086720376, 2.0] }
entry of_log10 (xs: []f64) : []f64 = map f64.log10 xs

-- ==
-- entry: of_recip
-- input { [0.125, 1.0, 2.5, 100.0] } output { [8.0, 1.0, 0.4, 0.01] }
entry of_recip (xs: []f64) : []f64 = map f64.recip xs

-- ==
-- entry: of_hypot
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.5590169943749475, 2.1360009363293826, 1.5206906325745548, 3.605551275463989] }
entry of_hypot [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 f64.hypot xs ys

-- ==
-- entry: of_atan2pi
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.14758361765043326, -0.8857997487800918, 0.4474315432887466, 0.1871670418109988] }
entry of_atan2pi [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 f64.atan2pi xs ys

-- ==
-- entry: of_copysign
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.25, -0.75, 1.5, 2.0] }
entry of_copysign [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 f64.copysign xs ys

-- ==
-- entry: of_min
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.25, -2.0, 0.25, 2.0] }
entry of_min [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 f64.min xs ys

-- ==
-- entry: of_max
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.5, -0.75, 1.5, 3.0] }
entry of_max [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 f64.max xs ys

-- ==
-- entry: of_modulo
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.25, -0.75, 0.0, 2.0] }
entry of_modulo [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (f64.%) xs ys

-- ==
-- entry: of_power
-- input { [0.25, -0.75, 1.5, 2.0] [0.5, -2.0, 0.25, 3.0] } output { [0.5, 1.7777777777777777, 1.1066819197003215, 8.0] }
entry of_power [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (f64.**) xs ys

-- ==
-- entry: of_three
-- input { 2.0 3.0 0.5 } output { 6.5 6.5 2.5 8.0 }
entry of_three (x: f64) (y: f64) (z: f64) : (f64, f64, f64, f64) =
  (f64.fma x y z, f64.mad x y z, f64.lerp x y z, f64.ldexp x 2)

-- A NaN is no number to compare with, and the smaller and the larger of it and a number are the number.
-- ==
-- entry: with_nan
-- input { f64.nan 1.0 } output { 1.0 1.0 false true true false }
entry with_nan (x: f64) (y: f64) : (f64, f64, bool, bool, bool, bool) =
  (f64.min x y, f64.max x y, x == x, x != x, f64.isnan x, f64.isinf x)
