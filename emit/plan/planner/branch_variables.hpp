// What branches yield goes to the variable that takes it at last.
//
// Before:   double next_fx;  if (c) { next_fx = fx; } else { double value;  if (f < fx) { value = f; } else { value = fx; }  next_fx = value; }
//           fx = next_fx;
// After:    if (!c && f < fx) { fx = f; }          with what tidy does of conditions
// Applies   to variables without a value that statements assign, and one behind them reads, all in one list, into another variable: wherever
//           they are assigned, nothing reads or changes that one from there on. So what is to come does not depend on what is new
// Never     over statements that leave a loop, as the new value would stay; into variables that closures share
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Of kernels, functions and the entry itself. Before tidy.
void assign_in_branches(Entry& entry);
void assign_in_branches(Stms& stms);

}  // namespace boustro::plan::planner
