// One walk over a program that applies the rules, propagates copies, merges common subexpressions
// and moves invariants outwards.
#pragma once

#include "transform/simplify/rule.hpp"
#include "transform/simplify/simplify.hpp"

namespace boustro::simplify {

/// True if anything changed. `names` knows the program's names.
bool walk(ir::Program& program, ir::Names& names, const Trace& trace);

}  // namespace boustro::simplify
