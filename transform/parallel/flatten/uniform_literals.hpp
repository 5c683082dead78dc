// Arrays whose elements are all one scalar, written as what they are.
//
// Rule      [x, .., x], of n scalars, gives   replicate n x
// Why       nobody stores what is known from its index: a kernel of one thread, or an array of each thread, for `[x]`
// When      behind all that reads literals: derivatives of a replicate are sums
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// At any depth.
void replicate_uniform_literals(ir::Body& body);

}  // namespace boustro::parallel
