// Which operators many threads can apply: the one answer for accumulators, histograms, reductions and scans.
#pragma once

#include "transform/facts/aliases.hpp"

namespace boustro::parallel {

/// On scalars, and as a functor of its own, which knows neither variables of the program nor the record of failures: a library
/// takes it, and, if it has one component, so does an atomic operation.
bool is_functor(const ir::Lambda& op, const facts::Callees& callees);

}  // namespace boustro::parallel
