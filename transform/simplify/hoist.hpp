// Loop-invariant statements move out of loops, maps and the like.
#pragma once

#include <vector>

#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

/// Takes out of the expression's bodies what depends on nothing bound there, to stand before it.
/// From scopes that may run never, or often, only what cannot fail and touches no array that is
/// updated.
std::vector<ir::Stm> hoist_invariants(ir::Exp& exp, const Context& context);

}  // namespace boustro::simplify
