// Functions of the core program: one for each static key, that is a function together with what is
// static about its arguments: closures and what they capture, known constructors, types.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Calls the function of a closure that has all of its arguments; lowers it if it was not yet.
Value call_function(Context& context, const Closure& closure);

/// What the block computes behind its first `before` statements, for the value, becomes a function with the attribute, which it calls. It
/// stays as it is if it adds to accumulators.
void outline(Context& context, std::size_t before, const Value& value, const std::string& attribute);

}  // namespace boustro::lower
