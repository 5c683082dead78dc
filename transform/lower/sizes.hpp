// Types and sizes: evaluating those of the checker, and bringing values to them.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// The type with its variables replaced and its sizes evaluated, in the block that is open. Sizes
/// whose names are not bound yet stay unknown.
Type evaluate_type(Context& context, const Scope& scope, const check::Type& type);
Size evaluate_size(Context& context, const Scope& scope, const check::Size& size);

/// The core type of a leaf, all of whose sizes are known.
ir::Type core_type(const Leaf& leaf);
std::vector<ir::Type> core_types(const Type& type);

/// The same value with the sizes that the type names, checked at run time where they are other
/// atoms.
Value coerce(Context& context, const Value& value, const Type& type);

/// Binds the names among `wanted` that occur as sizes in `type` to the sizes that the value has.
void bind_sizes(Context& context, Scope& scope, const std::vector<check::Name>& wanted,
                const check::Type& type, const Value& value);

/// A value of that type, all zeros; unknown sizes are 0.
Value blank_value(Context& context, const Type& type);

}  // namespace boustro::lower
