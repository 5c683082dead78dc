// Operators for functors that are made without arguments.
#pragma once

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

/// It has no free variables and cannot fail, so that it knows neither variables of the program nor the
/// record of failures.
inline bool is_closed(const ir::Lambda& op) {
  return ir::free_names(op).empty() &&
         std::none_of(op.body.stms.begin(), op.body.stms.end(),
                      [](const ir::Stm& stm) { return ir::may_fail(stm.exp); });
}

}  // namespace boustro::plan::planner
