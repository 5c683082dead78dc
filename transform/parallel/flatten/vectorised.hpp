// Reduction of rows by an operator that works on each of their elements: the columns become dimensions of the space.
//
// Rule      reduce (map2 op) ne xss   gives   nest m n (\j i -> xss[i, j]) (map (reduce op ne))
//           for xss of n rows of m elements; likewise for rows of more dimensions
// Applies   op is an operator of the language on scalars; all elements of ne are one scalar
// Cost      as before, with a thread for each column
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

std::optional<ir::Nest> vectorised_reduce(const ir::Stm& stm, ir::Names& names,
                                          const Definitions& definitions);

}  // namespace boustro::parallel
