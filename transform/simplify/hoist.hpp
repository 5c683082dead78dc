// Loop-invariant statements move out of loops, maps and the like.
#pragma once

#include <vector>

#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

/// Takes out of the expression's bodies what depends on nothing bound there, to stand before it.
/// From scopes that may run never, or often, only what cannot fail and touches no array that is
/// updated. An array cannot fail if its sizes are known not to be negative where it is moved to.
std::vector<ir::Stm> hoist_invariants(ir::Exp& exp, Context& context);

}  // namespace boustro::simplify
