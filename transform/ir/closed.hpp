// Operators that stand on their own.
#pragma once

#include <functional>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// It has no free variables and cannot fail, calls followed, so that it can be a functor without arguments, which knows
/// neither variables of the program nor the record of failures. `function` finds what a call names.
bool is_closed(const Lambda& op, const std::function<const Function&(const Name&)>& function);

}  // namespace boustro::ir
