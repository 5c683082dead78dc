// Small maps whose points differ in what they do, on a CPU.
//
// Before:  map (\j -> if j == 0 then x else if j == 1 then y else z) (iota 3)
// After:   [x, y, z]
// Applies  to maps over at most 32 indices that yield scalars, if their branches depend on the index alone, if most
//          points are cases of their own, and if little is left of a point where its index is known
// Never:   map (\j -> if j == k then x else y) (iota 3), map (\j -> if j == 0 then x else y) (iota 9), or maps without
//          branches, which vectors compute
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any.
bool unroll_small_maps(ir::Program& program);

}  // namespace boustro::simplify
