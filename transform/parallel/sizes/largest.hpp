// What computes the largest value of a size that only threads know.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// Statements whose result is the largest value that the size, which is bound in the statement, an operator on elements, has in any
/// run of its function, and not less than 0. They keep the statement's own names. Nothing if that cannot be told of a
/// construct around the size.
std::optional<ir::Body> largest_value(const ir::Stm& stm, const ir::Name& size, const ir::Program& program, ir::Names& names);

}  // namespace boustro::parallel
