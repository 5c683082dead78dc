#include "frontend/ast/precedence.hpp"

#include <array>

#include "frontend/ast/syntax.hpp"

namespace boustro::ast {
namespace {

struct Row {
  std::string_view prefix;
  Fixity fixity;
};

// Longer prefixes stand before their own beginnings.
constexpr auto table = std::to_array<Row>({
    {"|>", {2}},
    {"<|", {3, true}},
    {"||", {4}},
    {"&&", {5}},
    {"<<", {8}}, {">>", {8}},
    {"<=", {6}}, {">=", {6}}, {"==", {6}}, {"!=", {6}}, {"<", {6}}, {">", {6}}, {"=", {6}}, {"!", {6}},
    {"&", {7}}, {"^", {7}}, {"|", {7}},
    {"**", {11}},
    {"+", {9}}, {"-", {9}},
    {"*", {10}}, {"//", {10}}, {"/", {10}}, {"%%", {10}}, {"%", {10}},
});

}  // namespace

Fixity fixity_of(std::string_view op) {
  for (const Row& row : table) {
    if (op.starts_with(row.prefix)) return row.fixity;
  }
  return {weakest_level};
}

bool is_operator(const std::string& name) {
  return !name.empty() && std::string_view("+-*/%=!><|&^").find(name.front()) != std::string_view::npos;
}

std::string to_string(const QualifiedName& name) {
  std::string text;
  for (const std::string& qualifier : name.qualifiers) text += qualifier + '.';
  return text + name.name;
}

}  // namespace boustro::ast
