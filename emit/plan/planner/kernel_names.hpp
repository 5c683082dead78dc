// Names of kernels and of the functions that do what several of them have in common: those of all entries share the file.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// A kernel is called after the first array that it writes, as parameters are called in the end: `means_adj_kernel`. Where
/// several write arrays of one name, in entries or one after the other, they have the name of their entry in front, or that
/// of what the planner made them for, and only then a number behind. None has a name of `variables`. Functions that add for a grid are called after
/// what they add to. A kernel that writes three arrays or more, or two that no formula tells of, is called after the function of the source that it is a part of, and
/// the sweep: `objective_return_kernel`; unless there is another one.
void name_kernels(Program& plan, const std::set<std::string>& variables);

}  // namespace boustro::plan::planner
