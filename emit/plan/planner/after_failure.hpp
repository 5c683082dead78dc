// Once a check has failed, nothing else runs on the gpu target: what follows may rely on what was
// checked.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Kernels that may follow a failed check begin by asking for it, and so do the functors of library
/// calls, if they read where data tells them to; the host ends before it decides anything by data.
void stop_after_failures(Entry& entry);

}  // namespace boustro::plan::planner
