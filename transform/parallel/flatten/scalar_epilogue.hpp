// Scalars that are computed from the result of a reduction of the whole space are computed by who finishes it.
//
// Rule      s = nest n (\i -> xs i) (reduce op ne);  t = f s   gives   t = nest n (\i -> xs i) (reduce op ne, then f)
// Applies   f is scalar arithmetic that cannot fail, on s and on what is known before the reduction; s is no size
// Order     what needs the results of several reductions is computed by the last of these, and with it what nothing else needs of the others:
//           a total = s + t is one formula, not a chain of them
// Cost      saves a kernel of one thread
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For the statements of a body that the host runs.
void attach_scalars(ir::Body& body, ir::Names& names);

}  // namespace boustro::parallel
