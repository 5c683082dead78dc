// Functions of the core program: one for each static key, that is a function together with what is
// static about its arguments: closures and what they capture, known constructors, types.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Calls the function of a closure that has all of its arguments; lowers it if it was not yet.
Value call_function(Context& context, const Closure& closure);

}  // namespace boustro::lower
