// The comment at the top of the file: entries in the language, and their derivatives rule by rule.
#pragma once

#include "emit/plan/planner/context.hpp"

namespace boustro::plan::planner {

/// Adds what there is to say about an entry of the planned program, once all that it calls has its final name.
void add_to_head(Context& context, const ir::Function& function, const Entry& entry);

}  // namespace boustro::plan::planner
