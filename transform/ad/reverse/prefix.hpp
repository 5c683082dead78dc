// Exclusive prefixes and suffixes under an operator, of a whole array or of each segment of it.
#pragma once

#include <functional>

#include "transform/ad/tensor.hpp"

namespace boustro::ad {

/// Tuples of an operator's operands: one array a component.
struct Factors {
  ir::Atom width;
  ir::Lambda op;
  std::vector<ir::Atom> neutral;
  std::vector<ir::Name> arrays;
};

/// Computes the key (i64) of the element at a place.
using Keys = std::function<ir::Atom(ir::Builder&, const ir::Atom& place)>;

/// For each i, the product of the elements before it; the neutral element for the first.
std::vector<ir::Name> products_before(ir::Builder& builder, const Factors& factors);
/// For each i, the product of the elements after it; the neutral element for the last.
std::vector<ir::Name> products_after(ir::Builder& builder, const Factors& factors);
/// The same within each segment, but any value where there is no element before, or after: the operator is not applied to
/// the neutral element. Neighbours are in one segment if their keys are equal.
std::vector<ir::Name> products_before(ir::Builder& builder, const Factors& factors, const Keys& key_at);
std::vector<ir::Name> products_after(ir::Builder& builder, const Factors& factors, const Keys& key_at);

/// Each array moved by one: `first` at 0, then array[i - 1].
std::vector<ir::Name> shifted(ir::Builder& builder, const ir::Atom& width,
                              const std::vector<ir::Atom>& first,
                              const std::vector<ir::Name>& arrays);

}  // namespace boustro::ad
