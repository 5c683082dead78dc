// Names of variables without numbers, or words, that they do not need.
#pragma once

#include "emit/plan/plan.hpp"
#include "emit/plan/planner/names.hpp"

namespace boustro::plan {

/// Planning tells all variables of a function apart, and then moves them into the branches and loops that need them. There a name has a
/// number only if another variable of the name is in sight. Parameters keep theirs, as callers know them by these names, and so does what
/// the source calls so.
///
/// Before:   if (n > 0) { const unsigned results = ...; } if (k > 0) { const unsigned results_2 = ...; }
/// After:    if (n > 0) { const unsigned results = ...; } if (k > 0) { const unsigned results = ...; }
void polish_names(Entry& entry, const planner::Others& others);

}  // namespace boustro::plan
