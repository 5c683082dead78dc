// Evaluating expressions of the checked program.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// The value of an expression; statements go to the block that is open.
Value lower_exp(Context& context, Scope& scope, const check::Exp& exp);

// One group of expressions each, in the file of that name.
Value lower_if(Context& context, Scope& scope, const check::Exp& exp, const check::If& e);
Value lower_match(Context& context, Scope& scope, const check::Exp& exp, const check::Match& e);
Value lower_loop(Context& context, Scope& scope, const check::Exp& exp, const check::Loop& e);
Value lower_index(Context& context, Scope& scope, const check::Exp& exp, const check::Index& e);
Value lower_update(Context& context, Scope& scope, const check::Update& e);
Value lower_range(Context& context, Scope& scope, const check::Exp& exp, const check::Range& e);
Value lower_array_literal(Context& context, Scope& scope, const check::Exp& exp,
                          const check::ArrayLiteral& e);
Value lower_string(Context& context, const check::StringLiteral& e);
Value lower_attributed(Context& context, Scope& scope, const check::Attributed& e);

}  // namespace boustro::lower
