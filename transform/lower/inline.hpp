// Inlining. What stays a function is scalar code that is used more than once: it becomes a device
// function, and is differentiated once.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::lower {

/// Inlines functions that are called once (short ones: once when their callers have been inlined), are trivial, carry #[inline], or have arrays, parallel
/// operators or accumulators; where an entry itself calls them, also short functions that check
/// something. #[noinline] keeps a scalar function, #[checkpoint] any. Functions that nothing calls any more are removed.
ir::Program inline_functions(const ir::Program& program);

/// Inlines the functions with arrays that #[checkpoint] has kept, and those that were derived from them. Nothing may look for common
/// statements with arrays from here on: what a return sweep runs again would be what the forward sweep has.
ir::Program inline_checkpointed(const ir::Program& program);

}  // namespace boustro::lower
