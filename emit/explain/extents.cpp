#include "emit/explain/extents.hpp"

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::explain {
namespace {

using namespace plan;

/// How tightly what an expression is made of holds together.
enum class Strength { choice, logic, comparison, sum, product, atom };

struct Signs {
  std::string text;
  Strength strength = Strength::atom;
};

Signs signs_of(const Expr& expr);

std::string at_least(const Expr& expr, Strength least) {
  const Signs signs = signs_of(expr);
  return signs.strength < least ? "(" + signs.text + ")" : signs.text;
}

std::string operands(const std::vector<Expr>& args) {
  std::string result;
  for (const Expr& arg : args) result += (result.empty() ? "" : ", ") + in_signs(arg);
  return result;
}

Signs joined(const Expr& expr, std::string_view sign, Strength strength, bool is_chain = true) {
  const Strength right = is_chain ? strength : static_cast<Strength>(static_cast<int>(strength) + 1);
  return {fmt::format("{} {} {}", at_least(expr.args[0], strength), sign, at_least(expr.args[1], right)), strength};
}

Signs operation(Op op, const Expr& expr) {
  if (expr.args.size() == 1) return {fmt::format("{}{}", symbol_of(op), at_least(expr.args[0], Strength::atom))};
  switch (op) {
    case Op::mul:
      return joined(expr, "·", Strength::product);
    case Op::div:
    case Op::rem:
      return joined(expr, symbol_of(op), Strength::product, false);
    case Op::add:
      return joined(expr, "+", Strength::sum);
    case Op::sub:
      return joined(expr, "−", Strength::sum, false);
    case Op::le:
      return joined(expr, "≤", Strength::comparison);
    case Op::ge:
      return joined(expr, "≥", Strength::comparison);
    case Op::ne:
      return joined(expr, "≠", Strength::comparison);
    case Op::lt:
    case Op::gt:
    case Op::eq:
      return joined(expr, op == Op::eq ? "=" : symbol_of(op), Strength::comparison);
    case Op::logical_and:
      return joined(expr, "and", Strength::logic);
    case Op::logical_or:
      return joined(expr, "or", Strength::logic);
    case Op::select:
      return {fmt::format("{} if {}, else {}", in_signs(expr.args[1]), in_signs(expr.args[0]), in_signs(expr.args[2])), Strength::choice};
    default:
      return joined(expr, symbol_of(op), Strength::choice);
  }
}

Signs call(const std::string& function, const std::vector<Expr>& args) {
  // Without the limits that a grid has in two of its dimensions, or where threads stride.
  const bool counts_blocks = function == "blocks_for" || function == "few_blocks_for" || function == "grid_height_for";
  if (counts_blocks && (args.size() == 1 || int_value(args[1]) == 1)) return signs_of(args[0]);
  if (counts_blocks)
    return {fmt::format("⌈{} / {}⌉", at_least(args[0], Strength::product), at_least(args[1], Strength::atom))};
  return {fmt::format("{}({})", function, operands(args))};
}

Signs signs_of(const Expr& expr) {
  if (const auto* op = std::get_if<Op>(&expr.head)) return operation(*op, expr);
  if (const auto* function = std::get_if<Call>(&expr.head)) return call(function->function, expr.args);
  if (const auto* intrinsic = std::get_if<Intrinsic>(&expr.head))
    return {fmt::format("{}({})", std::visit([](auto fn) { return ir::name_of(fn); }, intrinsic->fn), operands(expr.args))};
  if (std::holds_alternative<Cast>(expr.head) || std::holds_alternative<Convert>(expr.head)) return signs_of(expr.args[0]);
  const auto* field = std::get_if<Field>(&expr.head);
  if (field && expr.args[0].type != runtime::block_type()) return {field->name};
  return {to_string(expr)};
}

/// Nothing for a struct: how large it is depends on the compiler.
std::string size_of_element(const Type& elem) {
  if (!elem.name.empty()) return "sizeof " + elem.name;
  const std::string name(values::name_of(elem.prim));
  const std::string digits = name.substr(name.find_first_of("0123456789") == std::string::npos ? name.size() : name.find_first_of("0123456789"));
  return digits.empty() ? "1" : std::to_string(std::stoi(digits) / 8);
}

}  // namespace

std::string in_signs(const Expr& expr) { return signs_of(expr).text; }

std::string in_signs(const Extents& extents) {
  std::string text = at_least(extents.x, Strength::product);
  for (const std::optional<Expr>* more : {&extents.y, &extents.z})
    if (*more) text += " × " + at_least(**more, Strength::product);
  return text;
}

std::string bytes_of(const Expr& count, const Type& elem) {
  const std::string elements = at_least(count, Strength::product), size = size_of_element(elem);
  if (elements == "1") return size;
  return size == "1" ? elements : size + " · " + elements;
}

std::string bytes_of(const std::vector<std::string>& shape, const Type& elem) {
  std::string text = size_of_element(elem);
  if (text == "1" && !shape.empty()) text.clear();
  for (const std::string& extent : shape) {
    const bool is_sum = extent.find(' ') != std::string::npos;
    text += (text.empty() ? "" : " · ") + (is_sum ? "(" + extent + ")" : extent);
  }
  return text;
}

std::string element_name(const Type& elem) { return elem.name.empty() ? std::string(values::name_of(elem.prim)) : elem.name; }

}  // namespace boustro::explain
