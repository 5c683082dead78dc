// A nest of the grid whose points compute sums and then a nest that needs them becomes a nest for the sums and a perfect one.
//
// Rule      nest n: (total = sum ..; nest m: .. a loop .. total ..)   gives
//           totals = nest n: sum ..
//           nest (n, m): .. totals[i] ..
// Applies   to nests that store, without accumulators, whose points are a nest but for what stands before it: scalars that take loops, and
//           what is cheap. The sizes of the inner nest are known outside and not all constants, and each of its points has a loop
// Never     where a check stands beside the sums
// Cost      one scalar for each point and sum
//
// Before:  nest k (\i -> let total = sum logs[i] in nest n (\j -> total + sum ..))
// After:   let totals = nest k (\i -> sum logs[i]) in nest (k, n) (\i j -> totals[i] + sum ..)
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The nest for the sums and the perfect nest; nothing if the rule does not apply.
std::optional<std::vector<ir::Stm>> sums_apart(const ir::Stm& stm, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
