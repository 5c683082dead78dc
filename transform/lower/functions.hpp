// Functions of the core program: one for each static key, that is a function together with what is
// static about its arguments: closures and what they capture, known constructors, types.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Calls the function of a closure that has all of its arguments; lowers it if it was not yet.
Value call_function(Context& context, const Closure& closure);

/// What the statements, of a block of their own, compute for the value becomes a function with the attribute, which the block calls. They
/// come to stand there as they are if they add to accumulators.
void outline(Context& context, const std::vector<ir::Stm>& stms, const Value& value, const std::string& attribute);

}  // namespace boustro::lower
