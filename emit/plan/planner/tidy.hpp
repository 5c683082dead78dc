// Statements that say the same with fewer variables.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// A value that is stored, or returned, as soon as it has been computed needs no name; branches
/// that end with the value of a variable, which is then stored, store it themselves.
///
/// Before:   double result;
///           if (c) { result = x; } else { const double y = f(x); result = y; }
///           ys[i] = result;
/// After:    if (c) { ys[i] = x; } else { ys[i] = f(x); }
void tidy(Entry& entry);
void tidy(Stms& stms);

}  // namespace boustro::plan::planner
