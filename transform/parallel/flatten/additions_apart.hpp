// A nest of the grid whose points add rows to accumulators becomes one with a thread for each element of a row, and one for what else is
// added.
//
// Rule      nest_acc n: (acc[c] += row; total = sum ..; other[d] += total)   gives
//           nest_acc (n, m): acc[c, j] += row[j]
//           nest_acc n: (total = sum ..; other[d] += total)
// Applies   where all that points do to accumulators is to add, at the top, each accumulator being added to by rows of one size, known
//           outside and not constant, or by scalars. What the rows need of the point is cheap enough to be computed for each element
// Never     where points check
// Cost      the same additions
// Source    derived here: a row's addition is by definition that of its elements; accumulators do not depend on each other
//
// Before:  nest_acc h (\acc sums i -> (update_acc acc [i] xss[i], update_acc sums [i] (sum xss[i])))
// After:   nest_acc (h, b) (\acc i j -> update_acc acc [i, j] xss[i, j]); nest_acc h (\sums i -> update_acc sums [i] (sum xss[i]))
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// One nest for the additions of rows of each size, and one for those of scalars; nothing if no rows are added, or the rule does not apply.
std::optional<std::vector<ir::Stm>> additions_apart(const ir::Stm& stm, ir::Names& names);

}  // namespace boustro::parallel
