#include "transform/raise/tree.hpp"

#include <variant>

namespace boustro::raise {
namespace {

template <typename Tuple, typename Element>
Element flat(std::vector<Element> elements) {
  if (elements.size() == 1) return std::move(elements[0]);
  return {Tuple{std::move(elements)}, {}};
}

template <typename Tuple, typename Element>
Element nested(std::vector<Element> elements) {
  if (elements.size() <= 5) return flat<Tuple>(std::move(elements));
  std::vector<Element> rest(std::make_move_iterator(elements.begin() + 1), std::make_move_iterator(elements.end()));
  return {Tuple{{std::move(elements[0]), nested<Tuple>(std::move(rest))}}, {}};
}

}  // namespace

ast::Exp flat_tuple(std::vector<ast::Exp> elements) { return flat<ast::Tuple>(std::move(elements)); }
ast::Pattern flat_tuple(std::vector<ast::Pattern> elements) { return flat<ast::TuplePattern>(std::move(elements)); }
ast::Type flat_tuple(std::vector<ast::Type> elements) { return flat<ast::TupleType>(std::move(elements)); }
ast::Exp nested_tuple(std::vector<ast::Exp> elements) { return nested<ast::Tuple>(std::move(elements)); }
ast::Pattern nested_tuple(std::vector<ast::Pattern> elements) { return nested<ast::TuplePattern>(std::move(elements)); }

ast::Exp zipped(std::vector<ast::Exp> arrays) {
  const std::size_t n = arrays.size();
  if (n == 1) return std::move(arrays[0]);
  if (n <= 5) return applied(n == 2 ? "zip" : "zip" + std::to_string(n), std::move(arrays));
  std::vector<ast::Exp> rest(std::make_move_iterator(arrays.begin() + 1), std::make_move_iterator(arrays.end()));
  return applied("zip", {std::move(arrays[0]), zipped(std::move(rest))});
}

const std::string* plain_name(const ast::Exp& exp) {
  const auto* var = node_in<ast::Var>(exp);
  return var && var->name.qualifiers.empty() ? &var->name.name : nullptr;
}

bool is_literal(const ast::Exp& exp) {
  if (const auto* unary = node_in<ast::Unary>(exp)) return unary->op == ast::UnaryOp::negate && is_literal(*unary->operand);
  return node_in<ast::IntLiteral>(exp) || node_in<ast::FloatLiteral>(exp) || node_in<ast::BoolLiteral>(exp);
}

const std::string* single_name(const ast::Pattern& pattern) {
  if (const auto* with_type = std::get_if<ast::AscribedPattern>(&pattern.node)) return single_name(*with_type->pattern);
  const auto* name = std::get_if<ast::NamePattern>(&pattern.node);
  return name ? &name->name.text : nullptr;
}

}  // namespace boustro::raise
