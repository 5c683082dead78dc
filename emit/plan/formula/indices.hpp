// The index of an element in memory, taken apart into one index for each dimension.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan::formula {

/// `i * (d * d) + j * d + l` for the shape [k][d][d] is i, j, l. Nothing unless each dimension has
/// a term of its own, or an extent that is a number and so a constant index, and 0 only before another such constant: otherwise the array might be seen in another shape.
std::optional<std::vector<Expr>> indices_of(const Expr& flat,
                                            const std::vector<std::string>& shape);

}  // namespace boustro::plan::formula
