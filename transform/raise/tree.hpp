// Short ways to write syntax trees.
//
// A variable of the core program is written with its tag, `x#12`, until names.cpp spells it; what has no `#` is a name of the
// language, of the prelude or of a function.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::raise {

inline std::string tagged(const ir::Name& name) { return name.base + "#" + std::to_string(name.tag); }
inline bool is_tagged(const std::string& name) { return name.find('#') != std::string::npos; }
inline std::string base_of(const std::string& tagged_name) { return tagged_name.substr(0, tagged_name.rfind('#')); }

template <typename Node>
ast::Exp exp(Node node) {
  return {ast::ExpNode(std::move(node)), {}};
}
inline ast::Exp variable(std::string name) { return exp(ast::Var{{{}, std::move(name), {}}}); }
inline ast::Exp variable(const ir::Name& name) { return variable(tagged(name)); }
/// module.name
inline ast::Exp member(std::string_view module, std::string_view name) {
  return exp(ast::Var{{{std::string(module)}, std::string(name), {}}});
}
inline ast::Exp core(std::string_view name) { return member("core", name); }
inline ast::Exp applied(ast::Exp function, std::vector<ast::Exp> args) {
  return exp(ast::Apply{std::move(function), std::move(args)});
}
inline ast::Exp applied(std::string_view function, std::vector<ast::Exp> args) {
  return applied(variable(std::string(function)), std::move(args));
}
inline ast::Exp binary(ast::Exp lhs, std::string_view op, ast::Exp rhs) {
  return exp(ast::Binary{std::move(lhs), {{}, std::string(op), {}}, std::move(rhs)});
}
inline ast::Exp number(std::int64_t value) {
  const auto magnitude = value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  ast::Exp literal = exp(ast::IntLiteral{magnitude, std::nullopt});
  return value < 0 ? exp(ast::Unary{ast::UnaryOp::negate, std::move(literal)}) : literal;
}
inline ast::Identifier identifier(std::string name) { return {std::move(name), {}}; }
inline ast::Pattern pattern(ast::NamePattern node) { return {std::move(node), {}}; }
inline ast::Pattern named(std::string name) { return pattern(ast::NamePattern{identifier(std::move(name))}); }
inline ast::Pattern wildcard() { return {ast::WildcardPattern{}, {}}; }
inline ast::Pattern ascribed(ast::Pattern inner, ast::Type type) {
  return {ast::AscribedPattern{std::move(inner), std::move(type)}, {}};
}

/// One of them as it is, several as a tuple.
ast::Exp flat_tuple(std::vector<ast::Exp> elements);
ast::Pattern flat_tuple(std::vector<ast::Pattern> elements);
ast::Type flat_tuple(std::vector<ast::Type> elements);
/// The same; more than five are nested pairs, as zip makes them.
ast::Exp nested_tuple(std::vector<ast::Exp> elements);
ast::Pattern nested_tuple(std::vector<ast::Pattern> elements);
/// zip xs ys, zip3 xs ys zs, ..
ast::Exp zipped(std::vector<ast::Exp> arrays);

template <typename Node>
const Node* node_in(const ast::Exp& exp) {
  return std::get_if<Node>(&exp.node);
}
template <typename Node>
Node* node_in(ast::Exp& exp) {
  return std::get_if<Node>(&exp.node);
}
/// The name of a variable without qualifiers; null if it is something else.
const std::string* plain_name(const ast::Exp& exp);
bool is_literal(const ast::Exp& exp);
/// The name that a pattern consists of, a type beside it or not; null if it is no single name.
const std::string* single_name(const ast::Pattern& pattern);

}  // namespace boustro::raise
