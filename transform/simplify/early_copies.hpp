// Copies that are read only until their original is updated.
//
// Before:  let ys = copy xs  let y = reduce (+) 0 ys  let zs = xs with [i] = y
// After:   let y = reduce (+) 0 xs  let zs = xs with [i] = y
// Applies  where the copy is never updated, and does not leave its body
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any.
bool remove_early_copies(ir::Program& program);

}  // namespace boustro::simplify
