// Where sizes of scratch memory are computed.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Constants of the prologue, which the query for scratch memory and the entry would both compute, become fields of the
/// struct that lays the memory out:
///
/// Before:   const int64_t steps = t - 1;  const Scratch buffers{b, steps};  ... steps ...
/// After:    const Scratch buffers{b, t};  ... buffers.steps ...
///
/// In C++ only those that the entry does not mention otherwise: compilers may take a field for something that a loop could
/// change. What a check of the prologue mentions stays, and all where the prologue does more than to define and check. The struct is made from the entry's
/// parameters in their order.
void keep_sizes_with_scratch(Entry& entry, Target target);

}  // namespace boustro::plan
