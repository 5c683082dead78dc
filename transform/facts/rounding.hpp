// Whether the order in which values are combined shows in the last bits of what comes of it.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::facts {

/// Computes with floats; does not only pick one of two.
bool rounds(const ir::Body& body);

/// Adds floats, or combines by what rounds. The values of other types come out the same in any order.
bool rounds(const ir::AccumulatorKind& kind, ir::PrimType elem);

}  // namespace boustro::facts
