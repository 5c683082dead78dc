-- Modules, what is opened from them, and which of two names counts.

module counter = {
  type t = {count: i32}
  def start : t = {count = 0}
  def step (x: t) : t = {count = x.count + 1}
  module twice = {
    def step (x: t) : t = step (step x)
  }
}

-- ==
-- entry: nested
-- input { 4i32 } output { 7i32 }
entry nested (n: i32) = ((counter.twice.step (counter.step {count = n})).count)

module vec = {
  def (+^) (a: (f64, f64)) (b: (f64, f64)) = (a.0 + b.0, a.1 + b.1)
  def origin = (0.0, 0.0)
  def scaled (k: f64) (a: (f64, f64)) = (k * a.0, k * a.1)
}

-- ==
-- entry: operators
-- input { 1.0 2.0 } output { 2.0 4.0 2.0 4.0 1.0 2.0 }
entry operators (x: f64) (y: f64) =
  let a = (x, y)
  let b = a vec.+^ a
  let c = vec.(a +^ a +^ origin)
  let d = vec.((origin +^)) a
  in (b.0, b.1, c.0, c.1, d.0, d.1)

-- What a parametric module saw when it was written is what it sees when it is applied.
def scale = 10
module scaling (P: {val x : i32}) = {
  def scaled = scale * P.x
}
open {def scale = 1000 local def hidden = 3}
module late = scaling {def x = scale + 1}

-- ==
-- entry: scopes
-- input { } output { 10010i32 1000i32 }
entry scopes = (late.scaled, scale)

local module hidden_module = {
  def value = 5i64
}
open hidden_module

-- ==
-- entry: sizes_of_modules
-- input { } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
entry sizes_of_modules : [hidden_module.value]i64 = iota value

-- A value nearer than a module of the same name.
-- ==
-- entry: nearest
-- input { 3i32 } output { 4i32 }
entry nearest (n: i32) =
  let vec = {origin = n}
  in vec.origin + 1

module tables = {
  def squares = map (\i -> i * i) (iota 5)
}
-- ==
-- entry: indexed
-- input { 3i64 } output { 9i64 }
entry indexed (i: i64) = tables.squares[i]
