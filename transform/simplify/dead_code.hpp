// Dead code: statements, and single results of statements, that nothing reads.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// Removes what no entry point needs: statements; results of loops, maps, branches, reductions,
/// calls and functions, through which a value only feeds itself; accumulators whose array is not
/// read, with all their updates; inputs and parameters; functions. An assertion lives as long as
/// its scope runs. True if anything was removed.
bool remove_dead_code(ir::Program& program);

}  // namespace boustro::simplify
