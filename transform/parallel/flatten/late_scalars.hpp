// Scalars that only nests need are computed at their points.
//
// Before:   let s = nest .. reduce ..  let t = s / n  let ys = nest .. (\i -> .. t ..)
// After:    let s = nest .. reduce ..  let ys = nest .. (\i -> let t = s / n  in .. t ..)
// Why       saves a kernel of one thread; each thread computes the scalar once, the compiler sees to that
// Applies   to operations on scalars that cannot fail, of what only the device knows: results of nests, elements of arrays. Where a library
//           calls the points, they have to be cheap, since it computes them for each
// Never     to what anything else needs: sizes, operators, results
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// Of a body that the host runs, and those inside of its branches and loops.
void compute_scalars_late(ir::Body& body, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
