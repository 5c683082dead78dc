// Which functions the host of the gpu target calls.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Marks the functions that entries call outside of kernels, and those that these call.
void mark_host_functions(Program& plan);

}  // namespace boustro::plan::planner
