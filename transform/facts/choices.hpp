// Operators that pick one of two operands, each a value and its index.
#pragma once

#include <optional>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

/// The last statement of an operator on scalars that picks its right operand as a whole, or keeps
/// the left one. Null for other operators.
const ir::If* choice_in(const ir::Lambda& op);

/// min or max, if the operator on (value, index) picks the better value, of equal ones that with the smaller index, and a number rather than
/// a NaN; of two NaNs the one with the smaller index, or any if `numbers`. What it picks by consists of comparisons of values with values and of indices
/// with indices, so that it depends on their order only: it is applied to two pairs in each order that they can have.
std::optional<ir::BinOpKind> picks_extremum(const ir::Lambda& op, bool numbers);

}  // namespace boustro::facts
