// Operators that pick one of two operands, as they are where a thread goes through the elements in
// order: who comes later is known then, and need not be compared.
#pragma once

#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

/// Specialises an operator whose right operand is the next element. `counts` tells for each
/// component whether it is the index of the element.
///
/// Before:   \(x, i) (y, j) -> let wins = y < x || x == y && j < i || isnan x && (!isnan y || j < i)
///                             in if wins then (y, j) else (x, i)       neutral (f32.inf, -1)
/// After:    \(x, i) (y, j) -> if y < x then (y, j) else (x, i)
/// because i is -1 or an earlier index than j, and x is infinity or has been less than something.
ir::Operator in_order(ir::Operator op, const std::vector<bool>& counts);

}  // namespace boustro::plan::planner
