// Names of kernels, of which those of all entries share the file.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Kernels of several entries that compute the same have the name of their entry in front instead
/// of a number behind; numbers tell the kernels of one entry apart. None has a name of `variables`.
void name_kernels(Program& plan, const std::set<std::string>& variables);

}  // namespace boustro::plan::planner
