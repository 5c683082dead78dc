// Twice a product with a number is a product with twice the number.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// In what derivatives compute, in kernels, functions and the entry itself:
///
/// Before:   const double term = 0.5 * gamma * x;  q_adj[i] = 2.0 * term - total;
/// After:    q_adj[i] = gamma * x - total;
///
/// Twice a float is exact, so that the values are the same, but where a factor less makes a product of less than the least normal number, or
/// more than the largest. Only if nothing else needs the product, and the two statements are neighbours.
void double_at_once(Entry& entry);

}  // namespace boustro::plan
