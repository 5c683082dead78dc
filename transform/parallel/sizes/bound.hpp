// The lesser of a size and its largest value, in its place.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// From where the size is bound in the statement on, min(size, most) stands for it. False, and nothing is changed, if what binds it
/// needs it itself.
bool bound_size(ir::Stm& stm, const ir::Name& size, const ir::Name& most, ir::Names& names);

}  // namespace boustro::parallel
