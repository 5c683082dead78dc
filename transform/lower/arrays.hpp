// Arrays of any element type, as the arrays that stand for them.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// xs[indices] of every leaf.
Value index_value(Context& context, const Value& array, const std::vector<ir::DimIndex>& indices,
                  bool checked);

/// The size of the array's dimension number `d`.
Atom size_of(const Context& context, const Value& array, std::size_t d);

/// Applies `change` to every leaf, which is the name of an array.
template <typename Change>
Value map_leaves(const Value& value, const Type& type, Change&& change) {
  std::vector<Atom> atoms = leaves(value);
  for (Atom& atom : atoms) atom = change(std::get<ir::Name>(atom));
  return from_leaves(type, atoms);
}

/// The indices as the core IR has them: i64, negative strides resolved, slices checked unless
/// `unsafe`. `array` is what is indexed.
std::vector<ir::DimIndex> lower_indices(Context& context, Scope& scope,
                                        const std::vector<check::DimIndex>& indices,
                                        const Value& array);

/// An integer of any type as an i64.
Atom to_i64(Context& context, const Atom& atom);

/// [width] of the values, which have the type `row`.
Value array_of_values(Context& context, const Type& row, const std::vector<Value>& values);

}  // namespace boustro::lower
