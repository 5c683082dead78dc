// Gives names of the core program the base that the source uses for their value.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Renames what Context::call has recorded, throughout the program.
void use_source_names(Context& context);

}  // namespace boustro::lower
