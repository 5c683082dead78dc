// Grammar of attributes and type parameters.
#pragma once

#include "frontend/parse/attribute.hpp"

namespace boustro::parse {

struct attribute_body_id {};
const x3::rule<attribute_body_id, ast::Attribute> attribute_body = "attribute_body";

const auto attribute_args =
    (BOUSTRO_TOKEN("(") >> -comma_list(attribute_body) >> BOUSTRO_TOKEN(")"));

const auto attribute_body_def = located(deeper(
    (name >> -attribute_args)
        [build([](ast::Identifier name, boost::optional<std::vector<ast::Attribute>> args) {
          return ast::Attribute{std::move(name.text), to_vector(std::move(args)), {}};
        })]
    | number_text[build([](std::string digits) {
        return ast::Attribute{std::move(digits), {}, {}};
      })]));

const auto attribute_def =
    (BOUSTRO_TOKEN("#[") >> attribute_body >> BOUSTRO_TOKEN("]"))[pass];

const auto size_binder_def = (BOUSTRO_TOKEN("[") >> name >> BOUSTRO_TOKEN("]"))[pass];

const auto make_type_param = [](ast::TypeParam::Kind kind) {
  return build([kind](ast::Identifier name) { return ast::TypeParam{kind, std::move(name)}; });
};
const auto type_param_def = size_binder[make_type_param(ast::TypeParam::Kind::size)]
                            | (BOUSTRO_TOKEN("'") >> name)[make_type_param(ast::TypeParam::Kind::type)]
                            | (BOUSTRO_TOKEN("'~") >> name)[make_type_param(ast::TypeParam::Kind::size_lifted)]
                            | (BOUSTRO_TOKEN("'^") >> name)[make_type_param(ast::TypeParam::Kind::lifted)];

BOOST_SPIRIT_DEFINE(attribute, attribute_body, type_param, size_binder)

}  // namespace boustro::parse
