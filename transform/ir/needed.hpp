// What some of the values that statements compute need.
#pragma once

#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::ir {

/// The statements that `wanted` needs, in their order; with `checks`, those that bind nothing, too, and what they need.
/// In `wanted` remains what they take from outside.
std::vector<Stm> statements_for(NameSet& wanted, const std::vector<Stm>& stms, bool checks = false);

/// The names among the atoms, as what is wanted.
NameSet names_among(const std::vector<Atom>& atoms);

}  // namespace boustro::ir
