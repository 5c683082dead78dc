#include "emit/text/expression.hpp"

#include <fmt/format.h>

#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

using plan::Expr;
using plan::Op;
using values::PrimType;

Binding binding_of(Op op) {
  switch (op) {
    case Op::neg: case Op::logical_not: case Op::complement: case Op::address: case Op::dereference:
      return Binding::unary;
    case Op::mul: case Op::div: case Op::rem: return Binding::product;
    case Op::add: case Op::sub: return Binding::sum;
    case Op::shl: case Op::shr: return Binding::shift;
    case Op::lt: case Op::le: case Op::gt: case Op::ge: return Binding::relation;
    case Op::eq: case Op::ne: return Binding::equality;
    case Op::bit_and: return Binding::bit_and;
    case Op::bit_xor: return Binding::bit_xor;
    case Op::bit_or: return Binding::bit_or;
    case Op::logical_and: return Binding::logical_and;
    case Op::logical_or: return Binding::logical_or;
    case Op::select: return Binding::conditional;
  }
  source::internal_error("printer: no such operator");
}

/// The loosest operand that `op` takes without parentheses on its left. Readers, and compilers' warnings, want
/// parentheses between shifts, bit operations and comparisons where C++ does not.
Binding left_limit(Op op) {
  const Binding own = binding_of(op);
  switch (own) {
    case Binding::shift: case Binding::relation: case Binding::equality: 
      return own == Binding::shift ? Binding::unary : Binding::sum;
    case Binding::bit_and: case Binding::bit_xor: case Binding::bit_or: return Binding::unary;
    case Binding::logical_or: return Binding::logical_or;
    default: return own;
  }
}

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) - 1); }

/// A right operand of the same precedence needs parentheses: the order of operations is the program's.
Binding right_limit(Op op) {
  const Binding left = left_limit(op);
  const bool associative = op == Op::logical_and || op == Op::logical_or;
  return left == binding_of(op) && !associative ? tighter(left) : left;
}

/// `a && b` within `||`: compilers warn without the parentheses.
std::string logical_operand(const Bound& operand, Op op) {
  if (op == Op::logical_or && operand.binding == Binding::logical_and) return "(" + operand.text + ")";
  return enclosed(operand, binding_of(op));
}

bool is_literal(const Expr& expr) { return std::holds_alternative<plan::Literal>(expr.head); }

/// A literal beside an operand of its own type takes that type by itself.
Literals literals_beside(const Expr& other, const Expr& operand, Literals outside) {
  const bool same = other.type.prim == operand.type.prim && other.type.name.empty() && !other.type.pointer;
  return is_literal(other) ? outside : same || other.type.pointer ? Literals::converted : Literals::exact;
}

Bound unary(Op op, const Expr& operand, Literals literals, const Place& place) {
  const std::string text = enclosed(bound_expression(operand, literals, place), Binding::unary);
  const bool doubled = op == Op::neg && text.starts_with('-');
  return {fmt::format(fmt::runtime(doubled ? "{}({})" : "{}{}"), symbol_of(op), text), Binding::unary};
}

Bound binary(Op op, const Expr& lhs, const Expr& rhs, Literals literals, const Place& place) {
  // Both may be literals: then the left one gives the type.
  const Literals both = is_literal(lhs) && is_literal(rhs) ? Literals::exact : literals;
  const bool shift = op == Op::shl || op == Op::shr;
  const Bound left = bound_expression(lhs, shift ? Literals::exact : literals_beside(rhs, lhs, both), place);
  const Bound right =
      bound_expression(rhs, shift ? Literals::converted : literals_beside(lhs, rhs, literals), place);
  const bool logical = op == Op::logical_and || op == Op::logical_or;
  return {fmt::format("{} {} {}", logical ? logical_operand(left, op) : enclosed(left, left_limit(op)),
                      symbol_of(op), logical ? logical_operand(right, op) : enclosed(right, right_limit(op))),
          binding_of(op)};
}

Bound conditional(const std::vector<Expr>& args, Literals literals, const Place& place) {
  const Literals first = is_literal(args[2]) ? literals : Literals::converted;
  const Literals second = is_literal(args[1]) ? literals : Literals::converted;
  return {fmt::format("{} ? {} : {}",
                      enclosed(bound_expression(args[0], Literals::converted, place), Binding::logical_or),
                      enclosed(bound_expression(args[1], first, place), Binding::logical_or),
                      expression(args[2], place, second)),
          Binding::conditional};
}

Bound operation(Op op, const Expr& expr, Literals literals, const Place& place) {
  const std::vector<Expr>& args = expr.args;
  if (op == Op::select) return conditional(args, literals, place);
  if (args.size() == 1) return unary(op, args[0], literals, place);
  return binary(op, args[0], args[1], literals, place);
}

std::string position_text(plan::Position position) {
  switch (position) {
    case plan::Position::thread_x: return "threadIdx.x";
    case plan::Position::thread_y: return "threadIdx.y";
    case plan::Position::block_x: return "blockIdx.x";
    case plan::Position::block_y: return "blockIdx.y";
    case plan::Position::block_width_x: return "blockDim.x";
    case plan::Position::block_width_y: return "blockDim.y";
    case plan::Position::grid_width_x: return "gridDim.x";
    case plan::Position::grid_width_y: return "gridDim.y";
  }
  source::internal_error("printer: no such position");
}

/// `min` and `max` of integers: `std::max<int64_t>(16 * k, 256)` on the host.
std::string extremum(const std::string& function, const std::vector<Expr>& args, const Place& place) {
  // CUDA's are declared in every file, also where no <algorithm> is included.
  if (place.side == Side::device) {
    return fmt::format("{}({})", function, expressions(args, place, Literals::exact));
  }
  place.need_header("algorithm");
  bool typed = false;
  for (const Expr& arg : args) typed = typed || is_literal(arg) || arg.type != args[0].type;
  const std::string type = typed ? fmt::format("<{}>", type_text(args[0].type.prim, place)) : "";
  return fmt::format("std::{}{}({})", function, type, expressions(args, place));
}

/// An argument of a function that is not overloaded: C++ widens integers by itself.
const Expr& without_widening(const Expr& arg) {
  if (!std::holds_alternative<plan::Cast>(arg.head) || arg.type != plan::Type{PrimType::i64}) return arg;
  const Expr& operand = arg.args.front();
  const bool narrower = operand.type == plan::Type{PrimType::i32} || operand.type == plan::Type{PrimType::u32};
  return narrower ? operand : arg;
}

Bound call(const plan::Call& call, const Expr& expr, const Place& place) {
  if (call.function == "min" || call.function == "max") return {extremum(call.function, expr.args, place)};
  if (templates::find(call.function, place.dialect.language)) place.need_template(call.function);
  std::vector<Expr> args;
  for (const Expr& arg : expr.args) args.push_back(without_widening(arg));
  return {fmt::format("{}({})", call.function, expressions(args, place))};
}

Bound variable(const plan::Var& var, const Place& place) {
  if (templates::find(var.name, place.dialect.language)) place.need_template(var.name);
  return {var.name};
}

Bound cast(const Expr& expr, const Place& place) {
  const Expr& operand = expr.args.at(0);
  const std::string type = type_text(expr.type, place);
  const std::string text = expression(operand, place, Literals::exact);
  const bool to_i64 = expr.type == plan::Type{PrimType::i64};
  const bool widens = to_i64 && (operand.type.prim == PrimType::i32 || operand.type.prim == PrimType::u32);
  if (to_i64 && std::holds_alternative<plan::Position>(operand.head)) return {fmt::format("int64_t({})", text)};
  const bool name = std::holds_alternative<plan::Var>(operand.head) || std::holds_alternative<plan::Field>(operand.head);
  if (widens && name) return {fmt::format("int64_t{{{}}}", text)};
  return {fmt::format("static_cast<{}>({})", type, text)};
}

Bound conversion(const plan::Convert& convert, const Expr& expr, const Place& place) {
  const PrimType to = expr.type.prim;
  Bound operand = bound_expression(expr.args.at(0), Literals::exact, place);
  if (convert.from == PrimType::f16 && to != PrimType::f32) {  // of which C++ knows less
    operand = {fmt::format("static_cast<float>({})", operand.text)};
  }
  if (to == PrimType::boolean && convert.from != PrimType::boolean) {
    return {enclosed(operand, Binding::sum) + " != 0", Binding::equality};
  }
  if (!values::is_float(convert.from) || values::is_float(to)) {
    return {fmt::format("static_cast<{}>({})", type_text(to, place), operand.text)};
  }
  place.need_template("to_integer");
  return {fmt::format("to_integer<{}>({})", type_text(to, place), operand.text)};
}

Bound element(const Expr& expr, const Place& place) {
  const std::string array = enclosed(bound_expression(expr.args.at(0), Literals::converted, place), Binding::primary);
  return {fmt::format("{}[{}]", array, expression(expr.args.at(1), place))};
}

Bound field(const plan::Field& field, const Expr& expr, const Place& place) {
  const Expr& of = expr.args.at(0);
  const std::string text = enclosed(bound_expression(of, Literals::converted, place), Binding::primary);
  return {fmt::format("{}{}{}", text, of.type.pointer ? "->" : ".", field.name)};
}

}  // namespace

std::string_view symbol_of(Op op) {
  switch (op) {
    case Op::neg: return "-";
    case Op::logical_not: return "!";
    case Op::complement: return "~";
    case Op::address: return "&";
    case Op::dereference: return "*";
    case Op::mul: return "*";
    case Op::div: return "/";
    case Op::rem: return "%";
    case Op::add: return "+";
    case Op::sub: return "-";
    case Op::shl: return "<<";
    case Op::shr: return ">>";
    case Op::lt: return "<";
    case Op::le: return "<=";
    case Op::gt: return ">";
    case Op::ge: return ">=";
    case Op::eq: return "==";
    case Op::ne: return "!=";
    case Op::bit_and: return "&";
    case Op::bit_xor: return "^";
    case Op::bit_or: return "|";
    case Op::logical_and: return "&&";
    case Op::logical_or: return "||";
    case Op::select: break;
  }
  source::internal_error("printer: an operator without a symbol");
}

std::string enclosed(const Bound& expr, Binding limit) {
  return expr.binding > limit ? "(" + expr.text + ")" : expr.text;
}

Bound bound_expression(const Expr& expr, Literals literals, const Place& place) {
  return ir::match(
      expr.head, [&](const plan::Var& var) { return variable(var, place); },
      [&](const plan::Literal& literal) -> Bound {
        std::string text = literal_text(literal.value, literals, place);
        const bool negative = text.starts_with('-');
        return {std::move(text), negative ? Binding::unary : Binding::primary};
      },
      [](const plan::NullPointer&) -> Bound { return {"nullptr"}; },
      [](const plan::Position& position) -> Bound { return {position_text(position)}; },
      [&](const Op& op) { return operation(op, expr, literals, place); },
      [&](const plan::Intrinsic&) { return intrinsic(expr, place); },
      [&](const plan::Call& function) { return call(function, expr, place); },
      [&](const plan::Cast&) { return cast(expr, place); },
      [&](const plan::Convert& convert) { return conversion(convert, expr, place); },
      [&](const plan::Element&) { return element(expr, place); },
      [&](const plan::Field& member) { return field(member, expr, place); },
      [&](const plan::Construct&) -> Bound {
        return {fmt::format("{}{{{}}}", type_text(expr.type, place), expressions(expr.args, place))};
      },
      [&](const plan::SizeOf& size) -> Bound { return {fmt::format("sizeof({})", type_text(size.of, place))}; });
}

std::string expression(const Expr& expr, const Place& place, Literals literals) {
  return bound_expression(expr, literals, place).text;
}

std::string expressions(const std::vector<Expr>& list, const Place& place, Literals literals) {
  std::string result;
  for (const Expr& expr : list) result += (result.empty() ? "" : ", ") + expression(expr, place, literals);
  return result;
}

}  // namespace boustro::text
