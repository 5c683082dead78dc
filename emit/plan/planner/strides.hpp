// Loops over pieces count in elements, as a person has them.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// A loop whose number is only used for where its piece begins goes from piece to piece.
///
/// Before:   for (int64_t k = 0; k < (n + size - 1) / size; ++k) { const int64_t first = k * size; ... }
/// After:    for (int64_t first = 0; first < n; first += size) { ... }
///
/// In the statements, and in loops and branches among them.
void count_in_strides(Stms& stms);

}  // namespace boustro::plan::planner
