// Attributes, #[a], and the parameters of types and definitions, [n] and 't.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct attribute_id {};
using attribute_type = x3::rule<attribute_id, ast::Attribute>;
const attribute_type attribute = "attribute";  // #[name], #[name(argument, ...)]

struct type_param_id {};
using type_param_type = x3::rule<type_param_id, ast::TypeParam>;
const type_param_type type_param = "type_param";  // [n], 't, '~t, '^t

struct size_binder_id {};
using size_binder_type = x3::rule<size_binder_id, ast::Identifier>;
const size_binder_type size_binder = "size_binder";  // [n]

BOOST_SPIRIT_DECLARE(attribute_type, type_param_type, size_binder_type)

}  // namespace boustro::parse
