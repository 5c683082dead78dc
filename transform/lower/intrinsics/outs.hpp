// What the forms of the module `core` share that say what becomes of values.
#pragma once

#include "transform/lower/intrinsics/intrinsics.hpp"

namespace boustro::lower {

/// The outs that a value is, or a tuple of them. `rank` is how many dimensions the space has.
std::vector<ir::Out> outs_of(Context& context, const Value& value, int rank);

/// `()`, which stands where there are no arrays, values or results.
bool is_unit(const Type& type);
/// Parameters for accumulators of type `accumulators`, if they are given, then for `arguments`; results alike. What is `()`
/// does not count.
ir::Lambda lambda_of(Context& context, const Value& function, const Type* accumulators,
                     const Type& arguments, const Type& results);
/// Emits what yields so many accumulators, then as many results as the type has.
Value emit_form(Context& context, const std::vector<ir::Name>& accumulators, const Type* type,
                const Type& results, ir::Exp form);

/// A printed form is not as it must be.
[[noreturn]] void refuse_core(const Context& context, const char* what);

}  // namespace boustro::lower
