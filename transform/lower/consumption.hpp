// Which parameters a body consumes. The checker has made sure that consumption is in order; the
// core program needs to know which parameters may be consumed.
#pragma once

#include <unordered_set>

#include "transform/ir/ir.hpp"
#include "transform/lower/context.hpp"

namespace boustro::lower {

/// Sets `unique` of the parameters that the body consumes, directly or through an alias. Functions
/// that the body calls must be finished.
void mark_unique(Context& context, ir::Function& function);
void mark_unique(Context& context, ir::Lambda& lambda);
/// Those of a loop also if they become the next value of one that is consumed, or if they are said to be unique and are part of a
/// next value. One that is said to be unique but read only does not consume its initial value.
void mark_unique(Context& context, ir::Loop& loop, const std::unordered_set<ir::Name>& said_unique);

}  // namespace boustro::lower
