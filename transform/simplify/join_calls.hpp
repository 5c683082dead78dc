// Calls in one place of functions that begin alike, on a CPU: one function does what both do.
//
// Before:  def f x y = sin x * y   def g x z = sin x + z     let a = f x y  ...  let b = g x z
// After:   def f x y z = let s = sin x in (s * y, s + z)     let (a, b) = f x y z
// Applies  to functions on scalars, if what they both compute takes longer than a load: derivatives of several results
//          of one function then share what the function computes
// Never:   if the later call depends on the earlier one, or for functions with attributes
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any. The new functions compute everything twice, until they are simplified.
bool join_calls(ir::Program& program);

}  // namespace boustro::simplify
