// Binding patterns, and testing whether a value matches one.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Binds the names of a pattern that is known to match, and calls the values by them. The value is
/// brought to the sizes of the pattern's type.
void bind_pattern(Context& context, Scope& scope, const check::Pattern& pattern,
                  const Value& value);

/// Whether the value matches, as a bool atom; a literal where that is known.
Atom match_pattern(Context& context, const check::Pattern& pattern, const Value& value);

}  // namespace boustro::lower
