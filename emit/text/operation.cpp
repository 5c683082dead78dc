// Operators of C++, with the parentheses that they need.
#include <algorithm>

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/text/expression.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

using plan::Expr;
using plan::Op;
using plan::symbol_of;

Binding binding_of(Op op) {
  switch (op) {
    case Op::neg:
    case Op::logical_not:
    case Op::complement:
    case Op::address:
    case Op::dereference:
      return Binding::unary;
    case Op::mul:
    case Op::div:
    case Op::rem:
      return Binding::product;
    case Op::add:
    case Op::sub:
      return Binding::sum;
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
      return Binding::relation;
    case Op::eq:
    case Op::ne:
      return Binding::equality;
    case Op::bit_and:
      return Binding::bit_and;
    case Op::bit_xor:
      return Binding::bit_xor;
    case Op::bit_or:
      return Binding::bit_or;
    case Op::logical_and:
      return Binding::logical_and;
    case Op::logical_or:
      return Binding::logical_or;
    case Op::select:
      return Binding::conditional;
  }
  source::internal_error("printer: no such operator");
}

/// The loosest operand that `op` takes without parentheses on its left. Readers, and compilers'
/// warnings, want parentheses between bit operations and comparisons where C++ does not.
Binding left_limit(Op op) {
  const Binding own = binding_of(op);
  switch (own) {
    case Binding::relation:
    case Binding::equality:
      return Binding::sum;
    case Binding::bit_and:
    case Binding::bit_xor:
    case Binding::bit_or:
      return Binding::unary;
    case Binding::logical_or:
      return Binding::logical_or;
    default:
      return own;
  }
}

bool gives_number(Op op) {
  const Binding binding = binding_of(op);
  return op == Op::neg || op == Op::complement || binding == Binding::product || binding == Binding::sum || binding == Binding::bit_and ||
         binding == Binding::bit_xor || binding == Binding::bit_or;
}

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) - 1); }

/// A right operand of the same precedence needs parentheses: the order of operations is the
/// program's.
Binding right_limit(Op op) {
  const Binding left = left_limit(op);
  const bool associative = op == Op::logical_and || op == Op::logical_or;
  return left == binding_of(op) && !associative ? tighter(left) : left;
}

/// `a && b` within `||`: compilers warn without the parentheses.
std::string logical_operand(const Bound& operand, Op op) {
  if (op == Op::logical_or && operand.binding == Binding::logical_and)
    return "(" + operand.text + ")";
  return enclosed(operand, binding_of(op));
}

/// A literal beside an operand of its own type takes that type by itself.
Literals literals_beside(const Expr& other, const Expr& operand, Literals outside) {
  const bool same =
      other.type.prim == operand.type.prim && other.type.name.empty() && !other.type.pointer;
  return is_number(other)             ? outside
         : same || other.type.pointer ? Literals::converted
                                      : Literals::exact;
}

Bound unary(Op op, const Expr& operand, Literals literals, const Place& place) {
  const std::string text = enclosed(bound_expression(operand, literals, place), Binding::unary);
  const bool doubled = op == Op::neg && text.starts_with('-');
  return {fmt::format(fmt::runtime(doubled ? "{}({})" : "{}{}"), symbol_of(op), text),
          Binding::unary};
}

/// C++ widens an integer beside one that is as wide as the result already.
const Expr& widened_by(const Expr& other, const Expr& operand) {
  const bool is_wide = other.type == plan::Type{values::PrimType::i64} && !is_number(other);
  return is_wide ? without_widening(operand) : operand;
}

Bound binary(Op op, const Expr& left_operand, const Expr& right_operand, Literals literals, const Place& place) {
  // Of two that are widened the left one shows the width.
  const Expr& rhs = widened_by(left_operand, right_operand);
  const bool is_shown = &rhs != &right_operand && std::holds_alternative<plan::Cast>(left_operand.head);
  const Expr& lhs = is_shown ? left_operand : widened_by(right_operand, left_operand);
  // Both may consist of literals: then the left one gives the type.
  const Literals both = is_number(lhs) && is_number(rhs) ? Literals::exact : literals;
  const Bound left = bound_expression(lhs, literals_beside(rhs, lhs, both), place);
  const Bound right = bound_expression(rhs, literals_beside(lhs, rhs, literals), place);
  const bool logical = op == Op::logical_and || op == Op::logical_or;
  // What is added to a pointer may be added one after the other.
  const bool offsets = op == Op::add && left_operand.type.pointer && rhs.head == plan::Head(Op::add);
  return {
      fmt::format("{} {} {}", logical ? logical_operand(left, op) : enclosed(left, left_limit(op)),
                  symbol_of(op),
                  logical ? logical_operand(right, op) : enclosed(right, offsets ? binding_of(op) : right_limit(op))),
      binding_of(op)};
}

Bound conditional(const std::vector<Expr>& args, Literals literals, const Place& place) {
  // A variable beside a literal gives the type, unless it is narrower than the `int` that a literal is.
  const auto beside = [&](const Expr& other) {
    const bool gives_type = !is_number(other) && (other.type.pointer || values::byte_size(other.type.prim) >= 4);
    return gives_type ? Literals::converted : literals;
  };
  const Literals first = beside(args[2]), second = beside(args[1]);
  return {fmt::format(
              "{} ? {} : {}",
              enclosed(bound_expression(args[0], Literals::converted, place), Binding::logical_or),
              enclosed(bound_expression(args[1], first, place), Binding::logical_or),
              expression(args[2], place, second)),
          Binding::conditional};
}

}  // namespace

bool is_number(const Expr& expr) {
  const Op* op = std::get_if<Op>(&expr.head);
  if (!op) return is_literal(expr);
  if (*op == Op::select) {
    const bool first = is_number(expr.args[1]), second = is_number(expr.args[2]);
    return values::byte_size(expr.type.prim) < 4 ? first || second : first && second;
  }
  return gives_number(*op) && std::all_of(expr.args.begin(), expr.args.end(), is_number);
}

std::string enclosed(const Bound& expr, Binding limit) {
  return expr.binding > limit ? "(" + expr.text + ")" : expr.text;
}

Bound operation(Op op, const Expr& expr, Literals literals, const Place& place) {
  const std::vector<Expr>& args = expr.args;
  if (op == Op::select) return conditional(args, literals, place);
  if (args.size() == 1) return unary(op, args[0], literals, place);
  // A number stands on the right: x > 0.
  if (is_literal(args[0]) && !is_literal(args[1]) && plan::swapped(op) != op) return binary(plan::swapped(op), args[1], args[0], literals, place);
  return binary(op, args[0], args[1], literals, place);
}

}  // namespace boustro::text
