// Scalars as early as possible.
//
// Before:   let x = xs[0]  let ys = nest ..  let y = x * 2  let zs = nest .. y ..
// After:    let x = xs[0]  let y = x * 2  let ys = nest ..  let zs = nest .. y ..
// Why       scalars that stand in a row are computed by one kernel
// Applies   to operations on scalars, and arrays of a few of them that are written one by one
// Never     to what can fail, or needs nothing of the body
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// Of a body that the host runs, not inside of its statements.
void compute_scalars_early(ir::Body& body);

}  // namespace boustro::parallel
