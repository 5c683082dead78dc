// Stable sorting by small integers, as core statements.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::ad {

/// The positions of the keys (i64, between 0 and `most`) in the order of the keys; equal ones keep
/// their order. A radix sort, one bit at a time: O(width * log most) work.
ir::Name stable_order(ir::Builder& builder, const ir::Atom& width, const ir::Name& keys,
                      const ir::Atom& most);

}  // namespace boustro::ad
