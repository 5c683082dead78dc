-- Modules: module types, parametric modules, open, include, local, with, higher-order modules.

module type monoid = {
  type t
  val op : t -> t -> t
  val unit : t
}

module type monoid_of_i32 = monoid with t = i32

module type scale = {
  include monoid
  val times : i32 -> t -> t
}

module sum : monoid_of_i32 = {
  type t = i32
  def op (x: t) (y: t) = x + y
  def unit : t = 0
}

module product = {
  type t = i32
  def op (x: i32) (y: i32) = x * y
  def unit = 1i32
}

module fold (m: monoid) = {
  local def step (x: m.t) (y: m.t) = m.op x y
  def all [n] (xs: [n]m.t) = reduce step m.unit xs
  def prefixes [n] (xs: [n]m.t) = scan step m.unit xs
}

module pair (a: monoid) (b: monoid) : monoid with t = (a.t, b.t) = {
  type t = (a.t, b.t)
  def op ((x, y): t) ((z, w): t) = (a.op x z, b.op y w)
  def unit = (a.unit, b.unit)
}

module twice (f: (m: monoid) -> monoid with t = m.t) (m: monoid) = f (f m)
module flip (m: monoid) : monoid with t = m.t = {
  open m
  def op (x: t) (y: t) = m.op y x
}

module sums = fold sum
module products = fold product
module both = fold (pair sum product)
module flipped = twice flip product

-- ==
-- entry: applied
-- input { [1, 2, 3, 4] } output { 10 24 [1, 3, 6, 10] 10 24 24 }
entry applied (xs: []i32) =
  let (s, p) = both.all (zip xs xs)
  in (sums.all xs, products.all xs, sums.prefixes xs, s, p, reduce flipped.op flipped.unit xs)

module scaled : scale with t = i64 = {
  type t = i64
  def op (x: i64) (y: i64) = x + y
  def unit = 0i64
  def times (k: i32) (x: i64) = i64.i32 k * x
}

open (import "imported/numbers")

module nested = {
  module inner = { def k = 5i64 module deepest = { def k = 7i64 } }
  open inner
}

-- ==
-- entry: qualified
-- input { 3 } output { 12i64 12i64 5i64 35i64 42i64 }
entry qualified (k: i32) =
  (scaled.(op (times k 4) unit), 4i64 `scaled.op` 8i64, nested.k, nested.(inner.deepest.k * k), forty_two)

module counts : {
  type counts
  val start : i32 -> counts
  val raise : *counts -> *counts
  val list : counts -> [3]i32
} = {
  type counts = [3]i32
  def start (x: i32) = replicate 3 x
  def raise (xs: *counts) = xs with [0] = 9
  def list (xs: counts) = copy xs
}

def from_one = counts.start 1
def chosen (b: bool) = if b then from_one else counts.start 0

-- ==
-- entry: constant_of_abstract_type
-- input { true } output { [9, 1, 1] [1, 1, 1] }
-- input { false } output { [9, 0, 0] [1, 1, 1] }
entry constant_of_abstract_type (b: bool) =
  let raised = counts.raise (chosen b)
  in (counts.list raised, counts.list from_one)
