// Where functions may not be: in arrays, as results of branches, as loop variables, in entry points.
// What else an entry point may not be.
#pragma once

#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// Reports functions in those places, so that lowering can evaluate all others away.
void check_first_order(const Definition& definition, source::Diagnostics& diagnostics);

/// Reports functions, accumulators and type parameters in the type of an entry point: others cannot
/// pass them. Also for a checked definition that is to become one.
void check_entry(const Definition& definition, source::Diagnostics& diagnostics);

}  // namespace boustro::check
