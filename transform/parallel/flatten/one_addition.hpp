// One addition to an array of equal elements is that array as a nest.
//
// Rule      with_acc (replicate n x): acc[i] += v       gives    nest n (\j -> if j == i then x + v else x)
// Applies   to vectors, and additions of scalars. An index out of bounds is that of no element, and nothing is added
// Cost      a comparison for each element, instead of a write of its own; threads can share the elements
//
// Before:  with_acc (replicate n 0) (\acc -> update_acc acc [winner] 1)
// After:   nest n (\j -> if j == winner then 1 else 0)
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// The nest, over `over`; nothing if the statement is something else.
std::optional<ir::Nest> one_addition(const ir::Stm& stm, ir::Level over, const Definitions& definitions, ir::Names& names);

}  // namespace boustro::parallel
