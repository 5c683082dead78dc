// Module expressions and module types.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct module_exp_id {};
using module_exp_type = x3::rule<module_exp_id, ast::ModuleExp>;
const module_exp_type module_exp = "module_exp";

struct module_type_id {};
using module_type_type = x3::rule<module_type_id, ast::ModuleType>;
const module_type_type module_type = "module_type";

/// (name: module type)
struct module_param_id {};
using module_param_type = x3::rule<module_param_id, ast::ModuleParam>;
const module_param_type module_param = "module_param";

/// type, type~, type^
struct liftedness_id {};
using liftedness_type = x3::rule<liftedness_id, ast::Liftedness>;
const liftedness_type liftedness = "liftedness";

BOOST_SPIRIT_DECLARE(module_exp_type, module_type_type, module_param_type, liftedness_type)

}  // namespace boustro::parse
