// What several threads of a block have folded, as one value that each of them gets.
#pragma once

#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

/// Threads in a row of the block, or in a column, have `own` values of an operator that commutes; combines them in the same order every
/// time, and binds `totals`. All threads of the block get here.
void combine_threads(Code& code, Identifiers& identifiers, const ir::Operator& op, const Results& own, const std::vector<ir::Param>& totals,
                     bool along_rows);

}  // namespace boustro::plan::planner
