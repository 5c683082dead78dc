// Products of sizes that count the elements of something that is there: of an array, or of the points of a nest. Such products do
// not overflow, however many factors they have; others may: n * n * n does for a vector of some millions.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

/// The names of those products in a function: of all extents of an array or nest that is there whenever the product is computed, or a pass
/// says that it is a size.
ir::NameSet counts_of(const ir::Function& function);

}  // namespace boustro::plan::planner
