// The order of keys.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::reorder {

/// The numbers of the keys, an array of any integer type, least key first; equal ones in their order. As i64.
ir::Name order_of(ir::Builder& b, const ir::Name& keys);

}  // namespace boustro::reorder
