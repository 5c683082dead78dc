// A nest of the grid whose points compute rows of sums and go on with them becomes a nest for the rows and one that goes on: there is a
// thread for each element of a row, and blocks can compute tiles of them.
//
// Rule      nest n: .. row = nest m: (.. a loop ..) .. f(row) ..   gives
//           rows = nest n: nest m: (..)      a perfect nest
//           nest n: .. f(rows[i]) ..
// Applies   to nests that store, without accumulators. The inner nest stores too, its sizes are known outside and not all constants,
//           each of its points has a loop, and what else it needs of the point is cheap enough to be computed once more. If it also
//           combines values, and checks nothing, that remains, and reads the rows; then rows that are results anyway need no loop. Where what goes on is a row seen otherwise, all rows are
// Never     behind a check, or if the row is updated in place later
// Cost      memory for the rows of all points, instead of for those of all threads
// Like      distribute_rows.hpp, which comes first, for maps; this is for what sums_by_cell.hpp leaves in a thread
//
// Before:  nest b (\i -> let row = nest (m, k) (\j l -> sum ..) in nest m (\j -> .. row[j'] ..))
// After:   let rows = nest (b, m, k) (\i j l -> sum ..) in nest (b, m) (\i j -> .. rows[i, j'] ..)
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The statement for the first such rows, then the nest that goes on, if there is one, then views; nothing if there are no such rows.
std::optional<std::vector<ir::Stm>> nests_apart(const ir::Stm& stm, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
