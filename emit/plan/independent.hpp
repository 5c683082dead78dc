// Loops whose iterations do not meet in memory, where compilers do not find that out.
//
// Compilers compare the ends of arrays when a loop begins, to see that they do not overlap; of more than a few arrays they do
// not. The plan knows: pieces of scratch memory, parameters and arrays on the stack are apart, and what one iteration
// writes, no other one touches.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Marks innermost loops of an entry of the cpu target (For::independent).
void mark_independent_loops(Entry& entry);

}  // namespace boustro::plan
