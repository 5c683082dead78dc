// Statements that say the same with fewer variables.
#pragma once

#include <functional>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// A value that is stored, or returned, as soon as it has been computed needs no name; branches
/// that end with the value of a variable, which is then stored, store it themselves.
///
/// Before:   double result;
///           if (c) { result = x; } else { const double y = f(x); result = y; }
///           ys[i] = result;
/// After:    if (c) { ys[i] = x; } else { ys[i] = f(x); }
///
/// Nor does a short condition that only the next statement asks, or what a variable begins with. Likewise arrays whose elements are set one after
/// the other begin with them. Of kernels and functions, and on a CPU of the entry itself; of any entry, sizes that only a check of sizes compares
/// stand there.
void tidy(Entry& entry, Target target);
void tidy(Stms& stms);

/// Without the statements that do nothing, in branches too, and without branches that have no others.
void drop_statements(Stms& stms, const std::function<bool(const Stm&)>& does_nothing);

}  // namespace boustro::plan::planner
