// Simplification: a program to a smaller one of the same meaning, by rewrite rules run to a
// fix-point.
#pragma once

#include <functional>
#include <string_view>

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// Told of each rule that applies, with the statement as it was before. For `--trace-rules`.
using Trace = std::function<void(std::string_view rule, const ir::Stm& stm)>;

/// Copies, constants, algebra, common subexpressions, dead code, invariants: see rules.cpp for the
/// list. A verified program gives a verified one. Neither moves nor merges what is updated in
/// place, and keeps IEEE semantics: no rule changes a float but for the sign of a zero in
/// statements that differentiation made. Functions that no entry point reaches are dropped; without
/// entry points all are kept.
ir::Program simplify(ir::Program program, const Trace& trace = {});

}  // namespace boustro::simplify
