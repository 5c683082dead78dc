-- Parametric modules and their application.

module type monoid = {
  type t
  val zero : t
  val add : t -> t -> t
}
module sums (M: monoid) = {
  type t = M.t
  def sum [n] (xs: [n]M.t) = reduce M.add M.zero xs
  def sums [n] (xs: [n]M.t) : [n]t = scan M.add M.zero xs
}
module ints = sums {type t = i32 def zero = 0i32 def add x y = x + y : i32}
module products = sums {type t = f64 def zero = 1f64 def add x y = x * y : f64}

-- ==
-- entry: applied
-- input { [1, 2, 3] [2.0, 4.0] } output { 6 [1, 3, 6] 8.0 [2.0, 8.0] }
entry applied (xs: []i32) (ys: []f64) = (ints.sum xs, ints.sums xs, products.sum ys, products.sums ys)

-- Modules of numbers as arguments.
module statistics (R: real) = {
  def mean [n] (xs: [n]R.t) = R.(sum xs / i64 n)
  def variance [n] (xs: [n]R.t) =
    let m = mean xs
    in R.(sum (map (\x -> (x - m) * (x - m)) xs) / i64 n)
}
module statistics32 = statistics f32
module statistics64 = statistics f64

-- ==
-- entry: of_numbers
-- input { [1.0f32, 2.0f32, 6.0f32] [2.0, 4.0] } output { 3.0f32 1.0 }
entry of_numbers (xs: []f32) (ys: []f64) = (statistics32.mean xs, statistics64.variance ys)

module bits (I: integral) : {val halves : I.t -> (I.t, I.t)} = {
  def halves (x: I.t) = (x I.>> I.i32 4, x I.& I.i32 15)
}
module bits8 = bits u8
-- ==
-- entry: of_integers
-- input { 0xa7u8 } output { 10u8 7u8 }
entry of_integers (x: u8) = bits8.halves x

-- Several parameters, one at a time; a parameter whose type mentions the one before.
module pairs (A: monoid) (B: monoid with t = (A.t, i32)) : monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def zero = (A.zero, B.zero)
  def add (a: t) (b: t) : t = (a.0 `A.add` b.0, a.1 `B.add` b.1)
}
module int_monoid = {type t = i32 def zero = 0i32 def add = (i32.+)}
module pairs_of_ints = pairs int_monoid
module nested_pairs = pairs_of_ints {type t = (i32, i32) def zero = (0, 1) def add (a: t) (b: t) : t = (a.0 + b.0, a.1 * b.1)}
-- ==
-- entry: curried
-- input { 3 } output { 6 6 9 }
entry curried (x: i32) =
  let y = nested_pairs.add (x, (x, x)) (x, (x, x))
  in (y.0, y.1.0, y.1.1)

-- A parametric module as parameter, and as a member.
module type transform = (P: {val f : i32 -> i32}) -> {val f : i32 -> i32}
module twice : transform = \(P: {val f : i32 -> i32}) -> {def f x = P.f (P.f x)}
module thrice_of (T: transform) (P: {val f : i32 -> i32}) = {
  module once = T P
  def f x = once.f (once.f (once.f x))
}
module collection = {
  module apply = twice
}
module plus_six = thrice_of twice {def f x = x + 1}
module plus_two = collection.apply {def f x = x + 1}
-- ==
-- entry: higher_order
-- input { 1 } output { 7 3 }
entry higher_order (x: i32) = (plus_six.f x, plus_two.f x)

-- Applying each twice: the work must not double every time.
module d0 (P: {val f : i32 -> i32}) = {module a = twice P module b = twice P def f x = a.f x + b.f x}
module d1 (P: {val f : i32 -> i32}) = {module a = d0 P module b = d0 P def f x = a.f x - b.f x}
module d2 (P: {val f : i32 -> i32}) = {module a = d1 P module b = d1 P def f x = a.f x + b.f x + x}
module d = d2 {def f x = 2 * x}
-- ==
-- entry: doubled
-- input { 3 } output { 3 }
entry doubled (x: i32) = d.f x

-- Sizes of parameters.
module fixed (P: {val n : i64}) : {type t = [P.n]f32 val zeros : [P.n]f32 val sum : [P.n]f32 -> f32} = {
  type t = [P.n]f32
  def zeros = replicate P.n 0f32
  def sum (xs: t) = f32.sum xs
}
module fixed3 = fixed {def n = 3i64}
-- ==
-- entry: sizes
-- input { [1f32, 2f32, 3f32] } output { 6f32 0f32 }
entry sizes (xs: fixed3.t) = (fixed3.sum xs, fixed3.sum fixed3.zeros)
