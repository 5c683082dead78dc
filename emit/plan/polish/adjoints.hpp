// Elements of adjoints are called after the elements that they belong to.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Where a function reads an element of an array and the element at the same place of its adjoint, the second one has the name of the first one:
///
/// Before:   const double weight = params[3 * b + i], part_adj = params_adj[3 * b + i];
/// After:    const double weight = params[3 * b + i], weight_adj = params_adj[3 * b + i];
///
/// So it is with pointers to rows, whose elements then have the row's name:
///
/// Before:   const double* weights_row = params + 3 * b; double* part_adj_row = params_adj + 3 * b; .. part_adj = part_adj_row[i];
/// After:    const double* weights_row = params + 3 * b; double* weights_adj_row = params_adj + 3 * b; .. weight_adj = weights_adj_row[i];
///
/// A row that is called after another parameter than that which it is of, is called after its own: `other_xs_row` of `other_xs`, not `xs_row`.
///
/// In functions, functors, kernels and the entry itself; of variables whose names no other variable of the function has.
void name_adjoints(Entry& entry);

}  // namespace boustro::plan
