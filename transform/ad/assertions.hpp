// Which assertions a scope checks when it runs again.
//
// A slice claims to be in bounds because an assertion before it says so. When the part of a forward sweep that the return
// sweep needs runs again, its claims must still be backed: nobody may need the forward sweep itself any more, and
// simplification drops what nobody needs, with its assertions.
#pragma once

#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::ad {

/// Removes the assertions that say nothing about `needed`, what the statements are run again for: all but those whose
/// condition is integer arithmetic on values that are at hand anyway. So no assertion costs more than a few
/// operations on sizes and indices.
void drop_assertions(std::vector<ir::Stm>& stms, const ir::NameSet& needed);

}  // namespace boustro::ad
