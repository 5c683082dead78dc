// What the promise of #[fixed_point] is checked against.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::ad {

bool has_fixed_points(const ir::Program& program);

/// The same program with plain loops in the place of those with #[fixed_point], each of which takes eight more steps once it
/// has ended. Where a loop ends at a fixed point these change nothing, and the program and its derivatives agree with the original's as far
/// as the loops have converged.
ir::Program with_plain_loops(ir::Program program);

}  // namespace boustro::ad
