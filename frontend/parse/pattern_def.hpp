// Grammar of patterns.
//
//   pattern  ::= attribute pattern | head [":" type]
//   head     ::= constructor param* | param
//   param    ::= name | "(" op ")" | "_" | literal | "-" literal | constructor | "(" patterns ")" | record
#pragma once

#include "frontend/parse/attribute.hpp"
#include "frontend/parse/pattern.hpp"
#include "frontend/parse/type.hpp"

namespace boustro::parse {

struct pattern_head_id {};
const x3::rule<pattern_head_id, ast::Pattern> pattern_head = "pattern_head";
struct field_pattern_id {};
const x3::rule<field_pattern_id, ast::FieldPattern> field_pattern = "field_pattern";

// ---- Parameters ----------------------------------------------------------------------------------

const auto literal_pattern = [](bool negated) {
  return build([negated](LiteralValue literal) {
    return ast::LiteralPattern{std::move(literal), negated};
  });
};
const auto name_pattern =
    build([](ast::Identifier name) { return ast::NamePattern{std::move(name)}; });
const auto bare_constructor = constructor[build(
    [](ast::Identifier name) { return ast::ConstructorPattern{std::move(name), {}}; })];

const auto field_pattern_def = (field_name >> -(BOUSTRO_TOKEN("=") >> pattern))
    [build([](ast::Identifier name, boost::optional<ast::Pattern> pattern) {
      return ast::FieldPattern{std::move(name), to_std(std::move(pattern))};
    })];
const auto record_pattern =
    (BOUSTRO_TOKEN("{") >> -comma_list(field_pattern) >> BOUSTRO_TOKEN("}"))
        [build([](boost::optional<std::vector<ast::FieldPattern>> fields) {
          return ast::RecordPattern{to_vector(std::move(fields))};
        })];

const auto operator_pattern = (operator_name >> BOUSTRO_TOKEN(")"))[name_pattern];
const auto patterns_in_parentheses = (-comma_list(pattern) >> BOUSTRO_TOKEN(")"))
    [build([](boost::optional<std::vector<ast::Pattern>> patterns) -> ast::Pattern {
      auto elements = to_vector(std::move(patterns));
      if (elements.size() == 1) return std::move(elements[0]);
      return {ast::TuplePattern{std::move(elements)}, {}};
    })];
// (-1) is a literal in parentheses, (-) an operator: the operator fails at once where `)` does not follow.
const auto parenthesised_pattern =
    BOUSTRO_TOKEN("(") >> (operator_pattern | patterns_in_parentheses);

const auto param_pattern_def = located(labelled(
    "a pattern",
    deeper(name[name_pattern]
           | BOUSTRO_TOKEN("_")[build([] { return ast::WildcardPattern{}; })]
           | parenthesised_pattern | record_pattern | literal[literal_pattern(false)]
           | (BOUSTRO_TOKEN("-") >> literal)[literal_pattern(true)] | bare_constructor)));

// ---- Patterns with payload, type, attribute --------------------------------------------------------

const auto constructor_pattern = (constructor >> *unsaid(param_pattern))
    [build([](ast::Identifier name, std::vector<ast::Pattern> payload) {
      return ast::ConstructorPattern{std::move(name), std::move(payload)};
    })];
const auto pattern_head_def = located(constructor_pattern | param_pattern[pass]);

const auto attributed_pattern = [](const auto& inner) {
  return (attribute >> deeper(inner))[build([](ast::Attribute attribute, ast::Pattern pattern) {
    return ast::AttributedPattern{std::move(attribute), std::move(pattern)};
  })];
};
const auto ascribed_pattern = [](const auto& type_grammar) {
  return (pattern_head >> -(BOUSTRO_TOKEN(":") >> type_grammar))
      [build([](ast::Pattern pattern, boost::optional<ast::Type> type) -> ast::Pattern {
        if (!type) return pattern;
        return {ast::AscribedPattern{std::move(pattern), std::move(*type)}, {}};
      })];
};
const auto pattern_def =
    located(labelled("a pattern", attributed_pattern(pattern) | ascribed_pattern(type)));
const auto case_pattern_def =
    located(labelled("a pattern", attributed_pattern(case_pattern) | ascribed_pattern(type_term)));

BOOST_SPIRIT_DEFINE(pattern, case_pattern, param_pattern, pattern_head, field_pattern)

}  // namespace boustro::parse
