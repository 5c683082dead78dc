// Grammar of atoms.
//
//   atom     ::= primary postfix*
//   primary  ::= literal | string | "???" | qualname | constructor | "[" exps "]" | "{" fields "}" | parens
//   parens   ::= "(" ")" | "(" op [exp] ")" | "(" exp op ")" | "(" exp ("," exp)* ")" | "(" path ")"
//   postfix  ::= "." field | "[" indices "]" (no white space before it) | "." "(" exp ")" (after a name)
#pragma once

#include "frontend/parse/atom.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/path.hpp"

namespace boustro::parse {

struct primary_id {};
const x3::rule<primary_id, ast::Exp> primary = "primary";
struct parentheses_id {};
const x3::rule<parentheses_id, ast::Exp> parentheses = "parentheses";
struct field_exp_id {};
const x3::rule<field_exp_id, ast::FieldExp> field_exp = "field_exp";
struct section_path_id {};
const x3::rule<section_path_id, std::vector<ast::Access>> section_path = "section_path";

// ---- Parentheses -----------------------------------------------------------------------------------

constexpr auto minus = terminal<ast::QualifiedName>(
    "an operator", [](const Token& t) { return t.text == "-"; }, qualified_name_of);
constexpr auto infix_but_minus = terminal<ast::QualifiedName>(
    "an operator",
    [](const Token& t) { return t.kind == TokenKind::op && t.text != "!" && t.text != "-"; },
    qualified_name_of);

// (-) is the operator, (-x) a negation.
const auto minus_alone = (minus >> BOUSTRO_TOKEN(")"))
    [build([](ast::QualifiedName op) { return ast::Var{std::move(op)}; })];
const auto operator_section = (infix_but_minus >> -unascribed >> BOUSTRO_TOKEN(")"))
    [build([](ast::QualifiedName op, boost::optional<ast::Exp> operand) -> ast::Exp {
      if (!operand) return {ast::Var{std::move(op)}, {}};
      return {ast::RightSection{std::move(op), std::move(*operand)}, {}};
    })];

const auto first_section_step =
    dot_field[build([](ast::Identifier field) {
      return std::vector<ast::Access>{std::move(field)};
    })]
    | (BOUSTRO_TOKEN(".") >> BOUSTRO_TOKEN("[") >> indices >> BOUSTRO_TOKEN("]"))
          [build([](std::vector<ast::DimIndex> indices) {
            return std::vector<ast::Access>{std::move(indices)};
          })];
const auto add_path_step = [](const auto& context) {
  x3::_val(context).push_back(std::move(x3::_attr(context)));
};
const auto section_path_def = first_section_step >> *path_step[add_path_step];
const auto access_section = (section_path >> BOUSTRO_TOKEN(")"))
    [build([](std::vector<ast::Access> path) { return ast::AccessSection{std::move(path)}; })];

const auto unit = BOUSTRO_TOKEN(")")[build([] { return ast::Tuple{}; })];
const auto group_or_tuple =
    (section_or_expression >> -(BOUSTRO_TOKEN(",") >> comma_list(expression)) >> BOUSTRO_TOKEN(")"))
        [build([](ast::Exp first, boost::optional<std::vector<ast::Exp>> rest) -> ast::Exp {
          if (!rest) return first;
          rest->insert(rest->begin(), std::move(first));
          return {ast::Tuple{std::move(*rest)}, {}};
        })];
const auto parentheses_def =
    located(BOUSTRO_TOKEN("(") >> (unit | unsaid(minus_alone) | unsaid(operator_section)
                           | unsaid(access_section) | group_or_tuple));

// ---- Other brackets --------------------------------------------------------------------------------

const auto array_literal =
    (BOUSTRO_TOKEN("[") >> -comma_list(expression) >> BOUSTRO_TOKEN("]"))
        [build([](boost::optional<std::vector<ast::Exp>> elements) {
          return ast::ArrayLiteral{to_vector(std::move(elements))};
        })];

const auto field_exp_def = (field_name >> -(BOUSTRO_TOKEN("=") >> expression))
    [build([](ast::Identifier name, boost::optional<ast::Exp> value) {
      return ast::FieldExp{std::move(name), to_std(std::move(value))};
    })];
const auto record = (BOUSTRO_TOKEN("{") >> -comma_list(field_exp) >> BOUSTRO_TOKEN("}"))
    [build([](boost::optional<std::vector<ast::FieldExp>> fields) {
      return ast::Record{to_vector(std::move(fields))};
    })];

// ---- Primaries and what follows them -----------------------------------------------------------------

const auto literal_exp = build([](LiteralValue value) {
  return std::visit([](const auto& literal) { return ast::Exp{literal, {}}; }, value);
});
const auto primary_def =
    located(qualified_name[build([](ast::QualifiedName name) { return ast::Var{std::move(name)}; })]
    | literal[literal_exp]
    | parentheses[pass]
    | array_literal
    | string_literal[build([](std::string bytes) { return ast::StringLiteral{std::move(bytes)}; })]
    | constructor[build([](ast::Identifier name) { return ast::Construct{std::move(name), {}}; })]
    | record
    | BOUSTRO_TOKEN("???")[build([] { return ast::Hole{}; })]);

/// Replaces the value e by what `make` builds from it and the attribute.
template <typename Make>
auto wrap(Make make) {
  return [make](const auto& context) {
    const Token* const next = x3::_where(context).begin();
    State& state = state_of(context);
    ast::Exp& exp = x3::_val(context);
    if (!grow(context, 1)) return;
    const ast::Place at = source::join(exp.at, state.place(next - 1, next));
    exp = make(std::move(exp), std::move(x3::_attr(context)));
    exp.at = at;
  };
}
const auto index_postfix = (index_bracket >> indices >> BOUSTRO_TOKEN("]"))
    [wrap([](ast::Exp&& array, std::vector<ast::DimIndex>&& indices) -> ast::Exp {
      return {ast::Index{std::move(array), std::move(indices)}, {}};
    })];
// x .y and (x).y are x.y: one Var.
const auto field_postfix = dot_field[wrap([](ast::Exp&& exp, ast::Identifier&& field) -> ast::Exp {
  const bool is_number = std::isdigit(static_cast<unsigned char>(field.text.front()));
  auto* const var = std::get_if<ast::Var>(&exp.node);
  if (!var || is_number || ast::is_operator(var->name.name)) {
    return {ast::Project{std::move(exp), std::move(field)}, {}};
  }
  ast::QualifiedName& name = var->name;
  name.qualifiers.push_back(std::exchange(name.name, std::move(field.text)));
  name.at = source::join(name.at, field.at);
  return std::move(exp);
})];
const auto is_name = [](const auto& context) {
  x3::_pass(context) = std::holds_alternative<ast::Var>(x3::_val(context).node);
};
const auto open_postfix =
    (BOUSTRO_TOKEN(".") >> BOUSTRO_TOKEN("(") >> x3::eps[is_name] >> expression >> BOUSTRO_TOKEN(")"))
        [wrap([](ast::Exp&& module, ast::Exp&& body) -> ast::Exp {
          return {ast::LocalOpen{std::move(std::get<ast::Var>(module.node).name), std::move(body)}, {}};
        })];
const auto atom_def = located(labelled("an expression", primary[pass] >> *unsaid(index_postfix | field_postfix
                                                                         | open_postfix)));

BOOST_SPIRIT_DEFINE(atom, primary, parentheses, field_exp, section_path)

}  // namespace boustro::parse
