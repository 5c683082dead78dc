// Names of kernels, of which those of all entries share the file.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Kernels of several entries that compute the same have the name of their entry in front instead of
/// a number behind; numbers tell the kernels of one entry apart.
void name_kernels(Program& plan);

}  // namespace boustro::plan::planner
