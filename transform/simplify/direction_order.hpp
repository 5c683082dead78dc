// Directions of derivatives in the order in which their results are wanted.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// Maps over numbered directions whose rows only change places take the numbers in that order. Says whether anything changed; run
/// simplify then.
bool order_directions(ir::Program& program);

}  // namespace boustro::simplify
