// Grammar of module expressions and module types.
//
//   module_exp   ::= module_term (":" module_type)*
//   module_term  ::= "\" param [":" module_type_atom] "->" module_exp | "import" string | atom+
//   module_atom  ::= qualname | "(" module_exp ")" | "{" definition* "}"
//   module_type  ::= "(" name ":" module_type ")" "->" module_type
//                  | module_type_atom ("with" qualname type_param* "=" type_term)* ["->" module_type]
//   spec         ::= "val" ... | "type" ... | "module" name ":" module_type | "include" module_type
#pragma once

#include "frontend/parse/attribute.hpp"
#include "frontend/parse/definition.hpp"
#include "frontend/parse/module.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

struct module_term_id {};
const x3::rule<module_term_id, ast::ModuleExp> module_term = "module_term";
struct module_atom_id {};
const x3::rule<module_atom_id, ast::ModuleExp> module_atom = "module_atom";
struct module_type_atom_id {};
const x3::rule<module_type_atom_id, ast::ModuleType> module_type_atom = "module_type_atom";
struct refined_module_type_id {};
const x3::rule<refined_module_type_id, ast::ModuleType> refined_module_type = "refined_module_type";
struct spec_id {};
const x3::rule<spec_id, ast::Spec> spec = "spec";

const auto set_liftedness = [](ast::Liftedness value) { return build([value] { return value; }); };
const auto liftedness_def = BOUSTRO_TOKEN("type")[set_liftedness(ast::Liftedness::plain)]
                            | BOUSTRO_TOKEN("type~")[set_liftedness(ast::Liftedness::size_lifted)]
                            | BOUSTRO_TOKEN("type^")[set_liftedness(ast::Liftedness::lifted)];

const auto module_param_def =
    (BOUSTRO_TOKEN("(") >> name >> BOUSTRO_TOKEN(":") >> module_type >> BOUSTRO_TOKEN(")"))
        [build([](ast::Identifier name, ast::ModuleType type) {
          return ast::ModuleParam{std::move(name), std::move(type)};
        })];

// ---- Module types ----------------------------------------------------------------------------------

struct spec_name_id {};
const x3::rule<spec_name_id, ast::Identifier> spec_name = "spec_name";
const auto spec_name_def = name[pass] | (BOUSTRO_TOKEN("(") >> operator_name >> BOUSTRO_TOKEN(")"))[pass]
                           | operator_name[pass];

const auto value_spec =
    (BOUSTRO_TOKEN("val") >> spec_name >> *type_param >> BOUSTRO_TOKEN(":") >> type)
        [build([](ast::Identifier name, std::vector<ast::TypeParam> params, ast::Type type) {
          return ast::ValueSpec{std::move(name), std::move(params), std::move(type)};
        })];
const auto type_spec =
    (liftedness >> name >> *type_param >> -(BOUSTRO_TOKEN("=") >> type))
        [build([](ast::Liftedness liftedness, ast::Identifier name, std::vector<ast::TypeParam> params,
                  boost::optional<ast::Type> type) {
          return ast::TypeSpec{liftedness, std::move(name), std::move(params), to_std(std::move(type))};
        })];
const auto module_spec =
    (BOUSTRO_TOKEN("module") >> name >> BOUSTRO_TOKEN(":") >> module_type)
        [build([](ast::Identifier name, ast::ModuleType type) {
          return ast::ModuleSpec{std::move(name), std::move(type)};
        })];
const auto include_spec = (BOUSTRO_TOKEN("include") >> module_type)[build(
    [](ast::ModuleType type) { return ast::IncludeSpec{std::move(type)}; })];
const auto spec_attribute = attribute[([](const auto& context) {
  x3::_val(context).attributes.push_back(std::move(x3::_attr(context)));
})];
const auto spec_def = located(labelled(
    "a specification", *spec_attribute >> (value_spec | type_spec | module_spec | include_spec)));

const auto named_module_type = qualified_name[build(
    [](ast::QualifiedName name) { return ast::ModuleTypeName{std::move(name)}; })];
const auto signature = (BOUSTRO_TOKEN("{") >> *spec >> BOUSTRO_TOKEN("}"))[build(
    [](std::vector<ast::Spec> specs) { return ast::Signature{std::move(specs)}; })];
const auto module_type_atom_def = located(labelled(
    "a module type",
    deeper(named_module_type | signature
           | (BOUSTRO_TOKEN("(") >> module_type >> BOUSTRO_TOKEN(")"))[pass])));

const auto refine = [](const auto& context) {
  auto& parts = x3::_attr(context);
  ast::ModuleType& type = x3::_val(context);
  if (!grow(context, 1)) return;
  ast::Type& replacement = boost::fusion::at_c<2>(parts);
  const ast::Place at = source::join(type.at, replacement.at);
  type = {ast::ModuleTypeWith{std::move(type), std::move(boost::fusion::at_c<0>(parts)),
                              std::move(boost::fusion::at_c<1>(parts)), std::move(replacement)},
          at};
};
const auto refined_module_type_def =
    located(module_type_atom[pass]
    >> *unsaid((BOUSTRO_TOKEN("with") >> qualified_name >> *type_param >> BOUSTRO_TOKEN("=") >> type_term)
                   [refine]));
const auto named_module_arrow =
    (&(BOUSTRO_TOKEN("(") >> name >> BOUSTRO_TOKEN(":")) >> module_param >> BOUSTRO_TOKEN("->")
     >> deeper(module_type))[build([](ast::ModuleParam param, ast::ModuleType to) {
      return ast::ModuleArrow{std::move(param.name), std::move(param.type), std::move(to)};
    })];
const auto module_arrow =
    (refined_module_type >> -unsaid(BOUSTRO_TOKEN("->") >> deeper(module_type)))
        [build([](ast::ModuleType from, boost::optional<ast::ModuleType> to) -> ast::ModuleType {
          if (!to) return from;
          return {ast::ModuleArrow{std::nullopt, std::move(from), std::move(*to)}, {}};
        })];
const auto module_type_def = located(labelled("a module type", unsaid(named_module_arrow) | module_arrow));

// ---- Module expressions ------------------------------------------------------------------------------

const auto named_module = qualified_name[build(
    [](ast::QualifiedName name) { return ast::ModuleName{std::move(name)}; })];
const auto module_body = (BOUSTRO_TOKEN("{") >> *definition >> BOUSTRO_TOKEN("}"))[build(
    [](std::vector<ast::Definition> definitions) { return ast::ModuleBody{std::move(definitions)}; })];
const auto module_atom_def = located(labelled(
    "a module", named_module | module_body
                    | (BOUSTRO_TOKEN("(") >> module_exp >> BOUSTRO_TOKEN(")"))[pass]));

const auto apply_module = [](const auto& context) {
  ast::ModuleExp& exp = x3::_val(context);
  ast::ModuleExp& arg = x3::_attr(context);
  if (!grow(context, 1)) return;
  const ast::Place at = source::join(exp.at, arg.at);
  exp = {ast::ModuleApply{std::move(exp), std::move(arg)}, at};
};
const auto module_lambda =
    (BOUSTRO_TOKEN("\\") >> module_param >> -(BOUSTRO_TOKEN(":") >> refined_module_type)
     >> BOUSTRO_TOKEN("->") >> module_exp)
        [build([](ast::ModuleParam param, boost::optional<ast::ModuleType> result, ast::ModuleExp body) {
          return ast::ModuleLambda{std::move(param), to_std(std::move(result)), std::move(body)};
        })];
const auto module_import = (BOUSTRO_TOKEN("import") >> string_literal)[build(
    [](std::string path) { return ast::ModuleImport{std::move(path)}; })];
const auto module_term_def =
    located(module_lambda | module_import | (module_atom[pass] >> *unsaid(module_atom)[apply_module]));

const auto ascribe_module = [](const auto& context) {
  ast::ModuleExp& exp = x3::_val(context);
  ast::ModuleType& type = x3::_attr(context);
  if (!grow(context, 1)) return;
  const ast::Place at = source::join(exp.at, type.at);
  exp = {ast::ModuleAscribe{std::move(exp), std::move(type)}, at};
};
const auto module_exp_def =
    located(labelled("a module", deeper(module_term[pass]
                                >> *unsaid(BOUSTRO_TOKEN(":") >> module_type)[ascribe_module])));

BOOST_SPIRIT_DEFINE(module_exp, module_type, module_param, liftedness, module_term, module_atom,
                    module_type_atom, refined_module_type, spec, spec_name)

}  // namespace boustro::parse
