// Which accumulator another one comes from.
#pragma once

#include <optional>

#include "transform/ir/ir.hpp"

namespace boustro::lower {

/// The accumulator that entered the statements, of which `accumulator` is what they made of it;
/// nothing if they do not tell.
std::optional<ir::Name> accumulator_origin(const ir::Program& program,
                                           const std::vector<ir::Stm>& stms,
                                           const ir::Atom& accumulator);

}  // namespace boustro::lower
