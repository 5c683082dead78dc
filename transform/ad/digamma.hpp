// The derivative of the logarithm of the gamma function, of which no library of ours has a function.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::ad {

/// psi(x) for a float x, as core statements; not a number at the poles 0, -1, -2, ...
ir::Atom digamma(ir::Builder& builder, const ir::Atom& x);

}  // namespace boustro::ad
