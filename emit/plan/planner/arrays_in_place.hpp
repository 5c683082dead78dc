// What a step of a loop makes of an array is written to the array, which nothing needs any more.
//
// Before:   double next[2];  while (..) { if (c) { for (j ..) next[j] = x[j]; } else { for (j ..) next[j] = f(x[j]); }  for (j ..) x[j] = next[j]; }
// After:    while (..) { if (!c) { for (j ..) x[j] = f(x[j]); } }
// Applies   to arrays of a thread that are only there for that: wherever a step writes to one, it reads no element of the other from there
//           on, but the one that it is about to overwrite
// Never     over statements that leave the loop, or return, as the other array would have changed
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Of kernels and functions, and on a CPU of the entry itself. After assign_in_branches.
void write_in_place(Entry& entry, Target target);
void write_in_place(Stms& stms);

}  // namespace boustro::plan::planner
