// A scan whose results one nest alone reads, point by point: that nest's work is done where the scan yields a value, and
// what it was given is never stored.
//
// Rule      ys = nest n (\i -> xs i) (scan op);  zs = nest n (\i -> f i (ys[i]))
//           gives   zs = nest n (\i -> xs i) (scan op, then \i y -> f i y)
//           If f reads ys backwards, through ys[n-1::-1], the results are made backwards too, and read through such a slice
// Applies   nothing else reads ys; f is scalar code; nothing is consumed in between
// Cost      saves an array and a pass over it
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For the statements of a body that the host runs.
void attach_epilogues(ir::Body& body, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
