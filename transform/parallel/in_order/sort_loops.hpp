// Sorts that no library does: those of a thread, and those of programs that people read.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// Sorts in the lambdas of the program become loops; `all`: also those outside.
void sort_by_loops(ir::Program& program, bool all);

}  // namespace boustro::parallel
