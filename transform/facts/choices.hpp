// Operators that pick one of two operands, each a value and its index.
#pragma once

#include <optional>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

/// The last statement of an operator on scalars that picks its right operand as a whole, or keeps
/// the left one. Null for other operators.
const ir::If* choice_in(const ir::Lambda& op);

/// A literal, and no NaN.
bool is_number(const ir::Atom& atom);

/// min or max, if the operator on (value, index) picks the better value, of equal ones that with the smaller index, and a number rather
/// than a NaN; of two NaNs any: who begins with a number never sees two. What it picks by consists of comparisons of values with values and
/// of indices with indices, so that it depends on their order only: it is applied to two pairs in each order that they can have.
std::optional<ir::BinOpKind> picks_extremum(const ir::Lambda& op);

}  // namespace boustro::facts
