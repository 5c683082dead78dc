// Operators that compose functions call their operands `first` and `second`, after which is applied when.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Of definitions that entries share and of their own, once equal ones are one.
void name_operands(Program& plan);

}  // namespace boustro::plan
