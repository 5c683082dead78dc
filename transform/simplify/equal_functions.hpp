// Functions of which the program has several copies.
//
// Before:  def f_1 x = x * x   def f_2 y = y * y     f_1 a + f_2 b
// After:   def f_1 x = x * x                         f_1 a + f_1 b
// Applies  to copies of one function of the source that compute the same: those that two entries, or the two sweeps of a derivative,
//          have got of it
// Never    to entries, or to functions with other attributes
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any.
bool merge_equal_functions(ir::Program& program);

}  // namespace boustro::simplify
