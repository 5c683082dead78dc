// An array of equal rows is no memory of its own if the row lies somewhere: all of its rows are that one.
//
// Before:   let rows = replicate n row
// After:    rows[i, j] is row[j]
// Applies   if nobody writes to the row's memory as the program says (Context::settled); else the rows are made. What the planner makes
//           in the memory of others leaves such a row alone, as these aliases tell it
#pragma once

#include <vector>

#include "transform/facts/aliases.hpp"

namespace boustro::plan::planner {

/// Which arrays may share memory as they are planned: those of equal rows with the row, too.
facts::Aliases planned_aliases(const std::vector<ir::Stm>& stms, const facts::Callees& callees);

}  // namespace boustro::plan::planner
