// Entry points: functions whose parameters and results the outside sees.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Adds the entry's function, and those that it calls, to the program.
void lower_entry(Context& context, const check::Definition& definition);

}  // namespace boustro::lower
