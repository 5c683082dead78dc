// Expressions that bind names: let, loop, match, lambdas.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

/// let .. in e, loop .. do e, match e case p -> e.
struct binding_exp_id {};
using binding_exp_type = x3::rule<binding_exp_id, ast::Exp>;
const binding_exp_type binding_exp = "binding_exp";

struct lambda_id {};
using lambda_type = x3::rule<lambda_id, ast::Exp>;
const lambda_type lambda = "lambda";

BOOST_SPIRIT_DECLARE(binding_exp_type, lambda_type)

}  // namespace boustro::parse
