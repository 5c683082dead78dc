// Expressions as a whole. Their parts: atom.hpp (what can be an argument), binding.hpp (let and loop).
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

/// Everything: e, a...b, e : t, e :> t.
struct expression_id {};
using expression_type = x3::rule<expression_id, ast::Exp>;
const expression_type expression = "expression";

/// Without a type at its top, where a colon means something else: xs[i:j].
struct unascribed_id {};
using unascribed_type = x3::rule<unascribed_id, ast::Exp>;
const unascribed_type unascribed = "unascribed";

/// After an opening parenthesis: an expression, or an operator section (x +).
struct section_or_expression_id {};
using section_or_expression_type = x3::rule<section_or_expression_id, ast::Exp>;
const section_or_expression_type section_or_expression = "section_or_expression";

BOOST_SPIRIT_DECLARE(expression_type, unascribed_type, section_or_expression_type)

}  // namespace boustro::parse
