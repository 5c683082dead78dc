// Checks that a plan obeys the rules of plan.hpp. Runs after the planner in tests and debug builds.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// All violations, each a sentence that names the function or kernel; empty if there are none.
/// Names are defined and do not hide each other; types agree; launches and calls fit what they
/// call; every kernel is used; stores go through parameters that say so, and by many threads only
/// to places that depend on the thread; an entry waits or records failures only if it says so.
std::vector<std::string> verify(const Program& program);

/// Throws InternalError naming the violations.
void verify_or_throw(const Program& program);

}  // namespace boustro::plan
