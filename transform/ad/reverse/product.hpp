// Products of floats, zeros counted apart, so that a factor can be taken out again.
#pragma once

#include <utility>

#include "transform/ad/tensor.hpp"

namespace boustro::ad {

/// For each element: the element, or 1 if it is zero; and 0, or 1 (of i64) if it is zero.
std::pair<ir::Name, ir::Name> split_zeros(ir::Builder& builder, const ir::Name& array);
/// The product: 0 if there was a zero.
ir::Atom product_of_parts(ir::Builder& builder, const ir::Atom& product, const ir::Atom& zero_count);
/// The product without the factor x.
ir::Atom product_of_others(ir::Builder& builder, const ir::Atom& product, const ir::Atom& zero_count,
                           const ir::Atom& x);

}  // namespace boustro::ad
