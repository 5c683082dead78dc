// Places in arrays, as short as they can be.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Multiplies literals, and adds terms that differ in nothing but them, in indices and in what is added to pointers. Rows come before
/// places in them:
///
/// Before:   xs[i + s * (2 * (4 * b)) + 4 * b + 3 * b]
/// After:    xs[s * (8 * b) + 7 * b + i]
///
/// What has a name is called by it:
/// Before:   const int64_t i = n - 1 - from_end; xs[n - 1 - from_end] = ..
/// After:    const int64_t i = n - 1 - from_end; xs[i] = ..
void polish_indices(Program& plan);

}  // namespace boustro::plan
