// What statements of a point compute twice, once they are those of one point.
//
// Before:  let s = a / n  let t = sum over j of (x[j] - s)  let u = a / n  let ys = nest k (\j -> (x[j] - u) / f64.sqrt t)
// After:   let s = a / n  let t = sum over j of (x[j] - s)  let r = f64.sqrt t  let ys = nest k (\j -> (x[j] - s) / r)
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// Scalar arithmetic and views that inner nests of the point repeat for each of their points go before them; then scalars, elements and views that an
/// earlier statement of the point has already are those, and rows are read by the views of them. For points that change no array that they read.
void share_values(ir::Body& point);

}  // namespace boustro::parallel
