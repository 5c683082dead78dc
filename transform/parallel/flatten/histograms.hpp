// Histograms as additions of single numbers, which threads can make at the same time.
//
// Rule      reduce_by_index (as, bs) op (..) is (xs, ys), where op combines each component by itself, gives one histogram
//           a component, with the same indices
// Rule      reduce_by_index dest (map2 op) ne is xss, for rows of m elements, gives
//           nest n m (\i j -> (is[i], j, xss[i, j])) (histogram op), likewise for rows of more dimensions
// Applies   rows that the histogram's own function computes are stored first; op is an operator of the language on scalars
// Cost      as before, with a thread for each element of each row
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// The same with as few components in each histogram as there can be.
ir::ReduceByIndex by_component(const ir::ReduceByIndex& histograms);

/// The map that stores what the histograms add, and the histograms of what is stored.
std::vector<ir::Stm> stored_first(const ir::Stm& stm, const ir::ReduceByIndex& histograms,
                                  ir::Names& names);

/// For the histogram of rows that it takes from an array as they are. Nothing if the rule does not apply.
std::optional<ir::Nest> histogram_of_rows(const ir::Stm& stm, const ir::ReduceByIndex& histograms,
                                          ir::Names& names, const Definitions& definitions);

}  // namespace boustro::parallel
