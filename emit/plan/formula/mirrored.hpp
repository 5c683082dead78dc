// Formulas of scans that go from the end of arrays to their beginning, in indices that go forwards.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan::formula {

/// Whether each index that varies with this variable becomes smaller by one if that becomes larger by one; there is one.
bool are_backwards(const std::vector<Expr>& exprs, const std::string& variable);

/// With sums and differences of integers in their shortest form: `i` for `n - 1 - (n - 1 - i)`.
Expr with_short_sums(const Expr& expr);

}  // namespace boustro::plan::formula
