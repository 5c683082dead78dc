// What the sizes of arrays depend on that the threads of a statement make in memory of their own: the host makes room for the
// largest of any thread before they start, so it has to know bounds.
#pragma once

#include <functional>
#include <vector>

#include "transform/facts/aliases.hpp"

namespace boustro::plan::planner {

/// Names from outside of the statement without which some size has no bound. `bounded` says of a name from outside whether the
/// host has a bound of it. Sizes are followed through arithmetic, branches, loops and indices of nests; of a minimum one operand
/// is enough. Arrays of small constant size need no memory (transform/parallel/flatten/memory.hpp), nor do views.
std::vector<ir::Name> needed_bounds(const ir::Stm& stm, const facts::Callees& callees, const std::function<bool(const ir::Name&)>& bounded);

}  // namespace boustro::plan::planner
