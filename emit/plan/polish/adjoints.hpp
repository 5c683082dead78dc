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
/// What is added to the adjoint of an element, or what a derived function makes of a variable, says whose adjoint it is:
///
/// Before:   params_adj[7 * b + i] += bias_adj;           x_adj = sigmoid_vjp(outgate_x, y_adj);
/// After:    params_adj[7 * b + i] += change_bias_adj;    outgate_x_adj = sigmoid_vjp(outgate_x, y_adj);
///
/// In functions, functors, kernels and the entry itself; of variables whose names no other variable of the function has. `shared`: with the
/// device functions that are called.
void name_adjoints(Entry& entry, const std::vector<Definition>& shared);

}  // namespace boustro::plan
