// A nest of the grid whose points add, in loops, to a row of their own becomes a nest that adds to all rows and one that goes on with them:
// there is a thread for each addition.
//
// Rule      nest n: .. row = with_acc (replicate k x) (nest (m, l): .. acc[j] += v ..) .. f(row) ..   gives
//           rows = with_acc (replicate (n, k) x) (nest (n, m, l): .. acc[i, j] += v ..)
//           nest n: .. f(rows[i]) ..
// Applies   to nests that store, without accumulators, whose with_acc adds up what threads can add atomically, in one nest of two or
//           more loops, outside of others, that checks nothing. Its sizes are known outside and not all constants, and what else it needs
//           of the point is cheap enough to be computed once more
// Never     behind a check, or if the row is updated in place later
// Cost      memory for the rows of all points, instead of for those of all threads, and atomics. Comes after sums_by_cell.hpp, which
//           does without where the cell follows from the indices
//
// Before:  nest n (\i -> let row = with_acc (replicate k 0) (\acc -> nest_acc (m, l) (\acc j t -> acc[f j t] += x[i, j, t]) acc) in g row)
// After:   let rows = with_acc (replicate (n, k) 0) (\acc -> nest_acc (n, m, l) (\acc i j t -> acc[i, f j t] += x[i, j, t]) acc)
//          in nest n (\i -> g rows[i])
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// The statements for the first such rows: what they hold before, the with_acc, and the nest that goes on, if there is more of it. Nothing
/// if there are none.
std::optional<std::vector<ir::Stm>> accumulators_apart(const ir::Stm& stm, ir::Names& names, const Definitions& definitions,
                                                       const facts::Callees& callees);

}  // namespace boustro::parallel
