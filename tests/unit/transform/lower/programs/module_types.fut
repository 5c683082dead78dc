-- Ascription, refinement, abstract types.

module type shape = {
  type t
  val of_side : f64 -> t
  val area : t -> f64
}
module square : shape = {
  type t = f64
  def of_side (x: f64) = x
  def area (x: t) = x * x
}
module cube : shape with t = (f64, f64) = {
  type t = (f64, f64)
  def of_side (x: f64) = (x, 6.0)
  def area (x: t) = x.1 * x.0 * x.0
}

-- ==
-- entry: abstract
-- input { 2.0 } output { 4.0 24.0 6.0 }
entry abstract (x: f64) = (square.area (square.of_side x), cube.area (cube.of_side x), (cube.of_side x).1)

-- The module is more polymorphic than its type says, which decides.
module narrow : {val pair : f32 -> (f32, f32) val first 'a : (a, a) -> a} = {
  def pair x = (x, x)
  def first (x, _) = x
}
-- ==
-- entry: narrowed
-- input { } output { 0.1f32 }
entry narrowed = narrow.first (narrow.pair 0.1)

-- Types with parameters, and sizes.
module type vector = {
  type vector [n] 'a
  val of_array [n] 'a : [n]a -> vector [n] a
  val to_array [n] 'a : vector [n] a -> [n]a
  val both [n] 'a : vector [n] a -> vector [n] a -> vector [n] (a, a)
}
module arrays : vector = {
  type vector [n] 'a = [n]a
  def of_array xs = xs
  def to_array xs = xs
  def both xs ys = zip xs ys
}
-- ==
-- entry: vectors
-- input { [1, 2, 3] } output { [2, 4, 6] }
entry vectors (xs: []i32) =
  arrays.both (arrays.of_array xs) (arrays.of_array xs) |> arrays.to_array |> map (\(x, y) -> x + y)

-- An abstract type may hide sizes, and functions.
module type stack = {
  type~ stack
  val empty : () -> stack
  val push : i32 -> stack -> stack
  val sum : stack -> i32
}
module stack : stack = {
  type~ stack = []i32
  def empty () : stack = []
  def push x (s: stack) : stack = [x] ++ s
  def sum [n] (s: [n]i32) = i32.sum s + i32.i64 n
}
-- ==
-- entry: hidden_sizes
-- input { 5i32 } output { 13i32 }
entry hidden_sizes (x: i32) = stack.empty () |> stack.push x |> stack.push (x + 1) |> stack.sum

module type field = {
  type^ field
  val linear : f64 -> field
  val at : field -> f64 -> f64
}
module field : field = {
  type^ field = f64 -> f64
  def linear (k: f64) = \x -> k * x
  def at (f: field) x = f x
}
-- ==
-- entry: hidden_functions
-- input { 3.0 } output { 21.0 }
entry hidden_functions x = field.at (field.linear 7.0) x

module type with_inner = {
  include shape
  module inner: {
    type u
    val to : t -> u
  }
}
module refined : with_inner with t = f64 with inner.u = i64 = {
  open square
  type t = f64
  def of_side (x: f64) : t = x
  def area (x: t) = x
  module inner = {
    type u = i64
    def to x = i64.f64 x
  }
}
-- ==
-- entry: refinements
-- input { 2.5 } output { 3i64 }
entry refinements (x: f64) = refined.inner.to x + 1
