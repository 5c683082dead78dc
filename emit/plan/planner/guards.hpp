// Launches for no elements, which CUDA rejects, stand under a condition; neighbours share it.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Merges neighbouring statements under the same condition on sizes. An entry that does nothing
/// else returns early instead. `sizes` are those of the entry's parameters, which are not negative.
void merge_guards(Entry& entry, const std::set<std::string>& sizes);

}  // namespace boustro::plan::planner
