// Grammar of expressions.
//
//   expression   ::= unascribed ((":" | ":>") type)*
//   unascribed   ::= chain [[".." chain] ("..." | "..<" | "..>") chain]
//   chain        ::= operand (op operand | "with" path "=" operand)*     resolved by operators.hpp
//   operand      ::= ("-" | "!")* (application | if | let | loop | match | assert | attribute expression)
//   application  ::= (atom | constructor) atom* [lambda]
#pragma once

#include "frontend/parse/atom.hpp"
#include "frontend/parse/attribute.hpp"
#include "frontend/parse/binding.hpp"
#include "frontend/parse/expression.hpp"
#include "frontend/parse/operators.hpp"
#include "frontend/parse/path.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

struct chain_id {};
const x3::rule<chain_id, ast::Exp> chain = "chain";
struct chain_or_section_id {};
const x3::rule<chain_or_section_id, ast::Exp> chain_or_section = "chain_or_section";
struct link_id {};
const x3::rule<link_id, Link> link = "link";
struct operand_id {};
const x3::rule<operand_id, ast::Exp> operand = "operand";
struct bare_operand_id {};
const x3::rule<bare_operand_id, ast::Exp> bare_operand = "bare_operand";

// ---- Operands --------------------------------------------------------------------------------------

const auto application = (atom >> *unsaid(atom) >> -unsaid(lambda))
    [build([](ast::Exp function, std::vector<ast::Exp> args, boost::optional<ast::Exp> last) -> ast::Exp {
      if (last) args.push_back(std::move(*last));
      if (args.empty()) return function;
      return {ast::Apply{std::move(function), std::move(args)}, {}};
    })];
// Not in `application`, so that (#a) x stays an application of #a.
const auto construction = (constructor >> *unsaid(atom) >> -unsaid(lambda))
    [build([](ast::Identifier name, std::vector<ast::Exp> payload, boost::optional<ast::Exp> last) {
      if (last) payload.push_back(std::move(*last));
      return ast::Construct{std::move(name), std::move(payload)};
    })];
const auto conditional =
    (BOUSTRO_TOKEN("if") >> expression >> BOUSTRO_TOKEN("then") >> expression >> BOUSTRO_TOKEN("else")
     >> expression)[build([](ast::Exp condition, ast::Exp then_branch, ast::Exp else_branch) {
      return ast::If{std::move(condition), std::move(then_branch), std::move(else_branch)};
    })];
const auto assertion =
    (BOUSTRO_TOKEN("assert") >> atom >> expression)[build([](ast::Exp condition, ast::Exp exp) {
      return ast::Assert{std::move(condition), std::move(exp)};
    })];
const auto attributed =
    (attribute >> expression)[build([](ast::Attribute attribute, ast::Exp exp) {
      return ast::Attributed{std::move(attribute), std::move(exp)};
    })];
const auto bare_operand_def = located(construction | application | conditional | binding_exp[pass] | assertion
                              | attributed | lambda[pass]);

struct Prefix {
  ast::UnaryOp op;
  ast::Place at;
};
constexpr auto prefix = terminal<Prefix>(
    "an expression", [](const Token& t) { return t.text == "-" || t.text == "!"; },
    [](const Token& t, const State& s) {
      return Prefix{t.text == "-" ? ast::UnaryOp::negate : ast::UnaryOp::complement, s.place(&t, &t)};
    });
const auto apply_prefixes = [](const auto& context) {
  auto& prefixes = boost::fusion::at_c<0>(x3::_attr(context));
  ast::Exp& exp = x3::_val(context);
  exp = std::move(boost::fusion::at_c<1>(x3::_attr(context)));
  if (!grow(context, prefixes.size())) return;
  for (auto prefix = prefixes.rbegin(); prefix != prefixes.rend(); ++prefix) {
    const ast::Place at = source::join(prefix->at, exp.at);
    exp = {ast::Unary{prefix->op, std::move(exp)}, at};
  }
};
const auto operand_def = located(labelled("an expression", (*prefix >> bare_operand)[apply_prefixes]));

// ---- Operators ---------------------------------------------------------------------------------------

const auto link_def =
    (infix >> operand)[build([](ast::QualifiedName op, ast::Exp operand) {
      return Link{std::move(op), std::move(operand)};
    })]
    | (BOUSTRO_TOKEN("with") >> update_path >> BOUSTRO_TOKEN("=") >> operand)
          [build([](std::vector<ast::Access> path, ast::Exp operand) {
            return Link{std::move(path), std::move(operand)};
          })];

const auto resolve_links = [](const auto& context) {
  auto& links = boost::fusion::at_c<1>(x3::_attr(context));
  if (!grow(context, links.size())) return;
  x3::_val(context) =
      resolve(std::move(boost::fusion::at_c<0>(x3::_attr(context))), std::move(links));
};
const auto make_section = [](const auto& context) {
  ast::Exp& exp = x3::_val(context);
  exp = {ast::LeftSection{std::move(exp), std::move(x3::_attr(context))}, {}};
};
const auto operands_and_operators = operand >> *unsaid(link);
const auto chain_def = located(operands_and_operators[resolve_links]);
const auto chain_or_section_def = located(operands_and_operators[resolve_links]
                                  >> -unsaid((infix >> &BOUSTRO_TOKEN(")"))[make_section]));

// ---- Ranges and types ----------------------------------------------------------------------------------

constexpr auto range_end = terminal<ast::RangeEnd>(
    "a range", [](const Token& t) { return t.text == "..." || t.text == "..<" || t.text == "..>"; },
    [](const Token& t, const State&) {
      return t.text == "..." ? ast::RangeEnd::inclusive
             : t.text == "..<" ? ast::RangeEnd::below
                               : ast::RangeEnd::above;
    });
const auto make_range = [](const auto& context) {
  auto& second = boost::fusion::at_c<0>(x3::_attr(context));
  const ast::RangeEnd kind = boost::fusion::at_c<1>(x3::_attr(context));
  ast::Exp& last = boost::fusion::at_c<2>(x3::_attr(context));
  ast::Exp& exp = x3::_val(context);
  const ast::Place at = source::join(exp.at, last.at);
  exp = {ast::Range{std::move(exp), to_box(std::move(second)), kind, std::move(last)}, at};
};
const auto add_ascription = [](auto make) {
  return [make](const auto& context) {
    ast::Exp& exp = x3::_val(context);
    ast::Type& type = x3::_attr(context);
    if (!grow(context, 1)) return;
    const ast::Place at = source::join(exp.at, type.at);
    exp = make(std::move(exp), std::move(type));
    exp.at = at;
  };
};
const auto ascribe = add_ascription([](ast::Exp&& exp, ast::Type&& type) -> ast::Exp {
  return {ast::Ascribe{std::move(exp), std::move(type)}, {}};
});
const auto coerce = add_ascription([](ast::Exp&& exp, ast::Type&& type) -> ast::Exp {
  return {ast::Coerce{std::move(exp), std::move(type)}, {}};
});

const auto range_rest = unsaid((-(BOUSTRO_TOKEN("..") >> chain) >> range_end >> chain)[make_range]);
const auto ascriptions =
    *unsaid((BOUSTRO_TOKEN(":") >> type)[ascribe] | (BOUSTRO_TOKEN(":>") >> type)[coerce]);

const auto unascribed_def = located(labelled("an expression", deeper(chain[pass] >> -range_rest)));
const auto expression_def =
    located(labelled("an expression", deeper(chain[pass] >> -range_rest >> ascriptions)));
const auto section_or_expression_def =
    located(labelled("an expression", deeper(chain_or_section[pass] >> -range_rest >> ascriptions)));

BOOST_SPIRIT_DEFINE(expression, unascribed, section_or_expression, chain, chain_or_section, link, operand,
                    bare_operand)

}  // namespace boustro::parse
