// Values that come one after the other under one name are one variable.
#pragma once

#include "emit/plan/plan.hpp"
#include "emit/plan/planner/names.hpp"

namespace boustro::plan {

/// A number that is another one with something added, subtracted or multiplied is that one, changed, if both have one name in the source and
/// nobody needs the other one any more: so adjoints add up. The order of additions is the same.
///
/// Before:   const double x_adj = a; const double other_x_adj = x_adj + b + c; f(other_x_adj);
/// After:    double x_adj = a; x_adj += b; x_adj += c; f(x_adj);
///
/// Of kernels and functions, and on a CPU of the entry itself. `others` says what names would rather be.
void update_in_place(Entry& entry, Target target, const planner::Others& others);
void update_in_place(Stms& stms, const planner::Others& others);

}  // namespace boustro::plan
