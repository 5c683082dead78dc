// A scatter of values, or to places, that a nest computes point by point: the nest writes them there at once.
//
// Rule      is, vs = nest n (\i -> f i) store;  zs = nest n (\i -> is[i], vs[i]) scatter
//           gives   zs = nest n (\i -> f i) scatter, and stores what others need of is and vs. So do further scatters; additions to
//           accumulators stay
// Applies   nothing in between reads is or vs, or consumes what f reads; what is written to is made here, so that f
//           cannot read it under another name
// Cost      saves arrays and a kernel
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For the statements of a body that the host runs.
void join_scatters(ir::Body& body, const facts::Callees& callees);

}  // namespace boustro::parallel
