// #[reorder(keys)]: maps whose points run in the order of integer keys.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::reorder {

/// Maps at the host's level with the attribute become maps over the numbers of their points in the order of keys, whose results are scattered
/// to where they belong; no attribute is left. Results are the same. Run behind differentiation, whose return maps have the attribute of the
/// maps that they are of, and before fusion. False if there was no such attribute.
bool reorder_points(ir::Program& program);

}  // namespace boustro::reorder
