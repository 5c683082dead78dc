// Grammar of definitions.
//
//   definition  ::= attribute* ( value | type | module | module type | "open" module_exp
//                              | "import" string | "local" definition )
//   value       ::= ("def" | "let" | "entry") (head | param op param) [":" type] "=" exp
//   head        ::= (name | "(" op ")") type_param* param*
#pragma once

#include "frontend/parse/attribute.hpp"
#include "frontend/parse/definition.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/module.hpp"
#include "frontend/parse/pattern.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

struct value_definition_id {};
const x3::rule<value_definition_id, ast::ValueDefinition> value_definition = "value_definition";
struct value_head_id {};
const x3::rule<value_head_id, ast::ValueDefinition> value_head = "value_head";

// ---- Values ----------------------------------------------------------------------------------------

const auto operator_in_parentheses =
    BOUSTRO_TOKEN("(") >> operator_name >> BOUSTRO_TOKEN(")");
const auto head_parts = *type_param >> *unsaid(param_pattern);
const auto make_head = build([](ast::Identifier name, std::vector<ast::TypeParam> type_params,
                                std::vector<ast::Pattern> params) {
  ast::ValueDefinition head;
  head.name = std::move(name);
  head.type_params = std::move(type_params);
  head.params = std::move(params);
  return head;
});
const auto operator_head = (operator_in_parentheses >> head_parts)[make_head];
const auto named_head = (name >> head_parts)[make_head];
const auto infix_head =
    (param_pattern >> operator_name >> param_pattern)
        [build([](ast::Pattern lhs, ast::Identifier op, ast::Pattern rhs) {
          ast::ValueDefinition head;
          head.name = std::move(op);
          head.params = {std::move(lhs), std::move(rhs)};
          return head;
        })];
const auto value_head_def = (unsaid(&operator_in_parentheses) >> operator_head)
                            | (unsaid(&(name >> operator_name)) >> infix_head)
                            | named_head | unsaid(infix_head);

const auto start_definition = [](bool is_entry) {
  return [is_entry](const auto& context) { x3::_val(context).is_entry = is_entry; };
};
const auto take_head = [](const auto& context) {
  ast::ValueDefinition& definition = x3::_val(context);
  const bool is_entry = definition.is_entry;
  definition = std::move(x3::_attr(context));
  definition.is_entry = is_entry;
};
const auto take_result = [](const auto& context) {
  x3::_val(context).result = std::move(x3::_attr(context));
};
const auto take_body = [](const auto& context) {
  x3::_val(context).body = std::move(x3::_attr(context));
};
const auto value_definition_def =
    (BOUSTRO_TOKEN("entry")[start_definition(true)]
     | (BOUSTRO_TOKEN("def") | BOUSTRO_TOKEN("let"))[start_definition(false)])
    >> value_head[take_head] >> -(BOUSTRO_TOKEN(":") >> type)[take_result]
    >> BOUSTRO_TOKEN("=") >> expression[take_body];

// ---- Everything else -------------------------------------------------------------------------------

const auto type_definition =
    (liftedness >> name >> *type_param >> BOUSTRO_TOKEN("=") >> type)
        [build([](ast::Liftedness liftedness, ast::Identifier name, std::vector<ast::TypeParam> params,
                  ast::Type type) {
          return ast::TypeDefinition{liftedness, std::move(name), std::move(params), std::move(type)};
        })];
const auto module_type_definition =
    (BOUSTRO_TOKEN("module") >> BOUSTRO_TOKEN("type") >> name >> BOUSTRO_TOKEN("=") >> module_type)
        [build([](ast::Identifier name, ast::ModuleType type) {
          return ast::ModuleTypeDefinition{std::move(name), std::move(type)};
        })];
const auto module_definition =
    (BOUSTRO_TOKEN("module") >> name >> *module_param >> -(BOUSTRO_TOKEN(":") >> module_type)
     >> BOUSTRO_TOKEN("=") >> module_exp)
        [build([](ast::Identifier name, std::vector<ast::ModuleParam> params,
                  boost::optional<ast::ModuleType> type, ast::ModuleExp body) {
          return ast::ModuleDefinition{std::move(name), std::move(params), to_std(std::move(type)),
                                       std::move(body)};
        })];
const auto open_definition = (BOUSTRO_TOKEN("open") >> module_exp)[build(
    [](ast::ModuleExp module) { return ast::Open{std::move(module)}; })];
const auto import_definition = (BOUSTRO_TOKEN("import") >> string_literal)[build(
    [](std::string path) { return ast::Import{std::move(path)}; })];
const auto local_definition = (BOUSTRO_TOKEN("local") >> deeper(definition))[build(
    [](ast::Definition definition) { return ast::Local{std::move(definition)}; })];

const auto definition_attribute = attribute[([](const auto& context) {
  x3::_val(context).attributes.push_back(std::move(x3::_attr(context)));
})];
const auto definition_def = located(labelled(
    "a definition",
    *definition_attribute >> (value_definition[pass] | type_definition | module_type_definition
                              | module_definition | open_definition | import_definition
                              | local_definition)));

BOOST_SPIRIT_DEFINE(definition, value_definition, value_head)

}  // namespace boustro::parse
