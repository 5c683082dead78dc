// Removes what turned out not to be needed once everything was planned.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Constants that nothing mentions, in kernels, functions and the body; their values have no
/// effect.
void drop_unused(Entry& entry);
/// The same of statements, before it is known which names from outside they need.
void drop_unused(Stms& stms);

}  // namespace boustro::plan::planner
