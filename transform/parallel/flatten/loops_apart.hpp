// A nest of the grid whose points compute sums or rows and then a nest that needs them becomes nests for these and a perfect one.
//
// Rule      nest n: (total = sum ..; row = nest d ..; nest m: .. total .. row[j] ..)   gives
//           totals = nest n: sum ..
//           rows = nest n: nest d ..
//           nest (n, m): .. totals[i] .. rows[i, j] ..
//           and a nest n for what else a point yields
// Applies   to nests that store, without accumulators, whose points end in a nest, behind scalars and rows that take loops, and what is cheap.
//           The sizes of the inner nest are known outside and not all constants
// Never     where a check stands beside them
// Cost      memory for what the points compute, instead of for what threads do
//
// Before:  nest k (\i -> let total = sum logs[i] in nest n (\j -> total + sum ..))
// After:   let totals = nest k (\i -> sum logs[i]) in nest (k, n) (\i j -> totals[i] + sum ..)
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// These nests, the perfect one last; nothing if there would be none.
std::optional<std::vector<ir::Stm>> loops_apart(const ir::Stm& stm, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
