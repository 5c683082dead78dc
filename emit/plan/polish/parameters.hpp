// Parameters of kernels come in the order in which their entry has them, whatever uses them first.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Before:   nearest_kernel(int* nearest, const float* centres, const float* points, int pitch, int64_t n, int d, int k)
/// After:    nearest_kernel(int* nearest, const float* points, const float* centres, int64_t n, int k, int d, int pitch)
/// What a kernel writes stays first, in its order. Arrays that it reads follow: those of the entry, then those in scratch memory; then numbers
/// likewise. An entry that calls a kernel first decides for others. Functions that kernels hand all of their parameters to follow the kernels.
void order_parameters(Program& plan);

}  // namespace boustro::plan
