// Arithmetic on tangents and adjoints of any rank: they have the shape of their value, and the seed shape
// inside of that.
//
// The seed shape is innermost within a derivative, so that rows, indices and operators on the outer
// dimensions are the same for vjp and mjp. Jvp and Vjp have it outermost: see derive.cpp.
#pragma once

#include <functional>

#include "transform/ir/elementwise.hpp"

namespace boustro::ad {

/// Type of a tangent or adjoint.
ir::Type with_seeds(ir::Type type, const ir::Shape& seed_shape);

ir::Atom zeros(ir::Builder& builder, std::string_view base, const ir::Type& type);

ir::Atom sum(ir::Builder& builder, std::string_view base, const ir::Atom& x, const ir::Atom& y);

/// Sum of the rows of an array.
ir::Atom sum_of_rows(ir::Builder& builder, std::string_view base, const ir::Name& array);

/// The same value under the type `type`, which differs at most in how sizes are spelt.
ir::Atom coerced(ir::Builder& builder, const ir::Atom& atom, const ir::Type& type);

/// A copy of an array, or the scalar itself: what may be consumed.
ir::Atom fresh_copy(ir::Builder& builder, std::string_view base, const ir::Atom& atom);

/// if condition then fill() else zeros, for one value of that type.
ir::Atom value_or_zero(ir::Builder& builder, std::string_view base, const ir::Atom& condition,
                       const ir::Type& type, const std::function<ir::Atom(ir::Builder&)>& fill);

/// The array with its last dimension first (moves seeds outwards), or the reverse of that.
ir::Name with_last_first(ir::Builder& builder, const ir::Name& array, bool inverse);

/// The array's rows in reverse order.
ir::Name reversed(ir::Builder& builder, const ir::Name& array);

/// A scalar that the builder has just computed, called `base`, after what it is an adjoint or tangent of: `total_adj`. It keeps its name if that is a
/// letter or an operation, which says no more than `term` does. Anything else is as it was.
ir::Atom called(ir::Builder& builder, const std::string& base, const ir::Atom& value);

/// `x_adj` for x.
inline std::string adj_name(const ir::Name& name) { return name.base + "_adj"; }
inline std::string tan_name(const ir::Name& name) { return name.base + "_tan"; }

}  // namespace boustro::ad
