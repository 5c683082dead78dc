// How many summands a slab has, by a function that says why.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Before:   size = max(n / max(min(4194304 / max(k, 1), 512), 1), 64)
/// After:    size = slab_size_for(n, k)
/// In the sizes of scratch memory and the host's constants. The numbers are those of transform/parallel/flatten/cell_totals.cpp and of the
/// template; slabs of others stay as they are.
void call_slab_sizes(Entry& entry);

}  // namespace boustro::plan
