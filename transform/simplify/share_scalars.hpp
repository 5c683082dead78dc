// What the host computes twice.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// Scalar arithmetic on scalars that an earlier statement of the same body, or of a branch or loop's body around it, computes: its result
/// is used. What maps compute in each point, and whatever reads arrays, stays as it is.
void share_scalars(ir::Program& program);

}  // namespace boustro::simplify
