// Loops over the elements of a slab count them as the array does.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Before:   const int64_t first = slab * size;
///           for (int64_t i = threadIdx.x; i < min(n - first, size); i += blockDim.x) total += xs[first + i];
/// After:    const int64_t first = slab * size;
///           const int64_t end = min(first + size, n);
///           for (int64_t i = first + threadIdx.x; i < end; i += blockDim.x) total += xs[i];
/// In kernels whose parameters say how many elements there are and how many a slab has. A loop that uses its index for anything else stays.
void loop_over_slabs(Entry& entry);

}  // namespace boustro::plan
