// Histograms of the best elements and their numbers, which no atomic operation changes together, as two that it does.
//
// Rule      reduce_by_index (xs, replicate -1) pick (ne, -1) is (zip vs (iota n)), where pick takes the smaller value, of equal ones that with the
//           smaller number, gives
//             ys = reduce_by_index xs min ne is vs
//             ws = reduce_by_index (map2 (\x y -> if y == x then -1 else highest) xs ys) i64.min highest
//                    (map2 (\i v -> if ys[i] == v then i else -1) is vs) (iota n)
//           likewise for the larger one
// Applies   the elements are computed once more without much work, or are stored before; of floats, a number is picked rather than a NaN
// Cost      elements are read twice, and cells are changed by atomic operations, instead of one histogram for each chunk of the elements
//
// Of zeros of either sign the one that is yielded need not be that of the winner: they are equal.
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// For a single histogram. Nothing if the rule does not apply.
std::optional<std::vector<ir::Stm>> winners_behind_values(const ir::Stm& stm, const ir::ReduceByIndex& histograms, ir::Names& names,
                                                          const Definitions& definitions, const facts::Callees& callees);

}  // namespace boustro::parallel
