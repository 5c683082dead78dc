// The sign of a product is that of its first factor.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Before:   -(2.0 * difference), -(1.0 / total), -(n / total)
/// After:    -2.0 * difference, -1.0 / total, -n / total
///
/// But not of what is added: `total -= 2.0 * difference`. Of floats, whose products and quotients are the same numbers then. The first factor, or what is divided, is a number or a variable.
void give_signs_to_first_factors(Entry& entry);

}  // namespace boustro::plan
