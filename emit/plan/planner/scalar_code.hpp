// Code that a function of scalars can do without a record of failures.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

class Context;

/// Operations on scalars, branches, loops and calls of such code, none of which fails (ir::is_safe_scalar_code takes no loops and
/// calls): what they divide by is not zero by its form, 2 or max n 1.
bool is_code_of_scalars(const Context& context, const ir::Body& body);

}  // namespace boustro::plan::planner
