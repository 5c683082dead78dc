// The versions that an array goes through in an iteration of a loop.
#pragma once

#include <optional>

#include "transform/ir/traversal.hpp"

namespace boustro::ir {

/// All names that parameter number `param` of the loop has in an iteration, from the parameter to the body's result, those in
/// branches and inner loops included: each is the one before after writes to some elements, or a copy of it. Nothing
/// if a step between them is of another kind, if a branch goes back behind a write, or if the parameter is no array of
/// which all versions have the same type.
std::optional<NameSet> versions_of(const Loop& loop, std::size_t param);

}  // namespace boustro::ir
