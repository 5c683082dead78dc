// Formulas of reductions and scans by library calls, and of their functors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/plan/formula/symbolic.hpp"

namespace boustro::plan::formula {

/// Those that a library call may mention.
using Functions = std::vector<plan::Definition>;

/// What the call computes; nothing if that is too much to say.
std::vector<std::string> library_formula(const Library& library, const Functions& functions);

/// `y if y.value > x.value, else x` of an operator that yields the second of its operands, records, or else the first.
std::optional<std::string> choice_formula(const Functor& functor, const Struct& record);

/// What a functor of an index yields.
std::optional<std::string> input_formula(const Functor& functor);

/// Whether the operator composes functions r -> d + c * r, the first of its operands first.
bool composes_linear(const Functor& functor);

}  // namespace boustro::plan::formula
