// Branches on one condition that compute the same, on a CPU.
//
// Before:  let x = if c then (let t = f s in t + 1) else 0  ...  let y = if c then (let u = f s in u * x) else 1
// After:   let (x, t) = if c then (let t = f s in (t + 1, t)) else (0, 0)  ...  let y = if c then t * x else 1
// Applies  to scalars that take longer to compute than to be kept. So the return sweep of a branch has what its forward
//          sweep has computed
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any.
bool share_branch_values(ir::Program& program);

}  // namespace boustro::simplify
