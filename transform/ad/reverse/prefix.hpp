// Exclusive prefixes and suffixes under an operator.
#pragma once

#include "transform/ad/tensor.hpp"

namespace boustro::ad {

/// For each i, the product of the elements before it; the neutral element for the first.
std::vector<ir::Name> products_before(ir::Builder& builder, const ir::Reduce& reduce);
/// For each i, the product of the elements after it; the neutral element for the last.
std::vector<ir::Name> products_after(ir::Builder& builder, const ir::Reduce& reduce);

/// Each array moved by one: `first` at 0, then array[i - 1].
std::vector<ir::Name> shifted(ir::Builder& builder, const ir::Atom& width,
                              const std::vector<ir::Atom>& first, const std::vector<ir::Name>& arrays);

}  // namespace boustro::ad
