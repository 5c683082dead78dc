// Launches for no elements, which CUDA rejects, stand under a condition; neighbours share it.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// An entry whose work is all under one condition on sizes returns early instead. In others neighbours under the same condition share
/// it, unless both launch kernels. `sizes` are those of the entry's parameters, which are not negative.
void merge_guards(Entry& entry, const std::set<std::string>& sizes);

}  // namespace boustro::plan::planner
