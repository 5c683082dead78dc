#include "emit/text/expression.hpp"

#include <fmt/format.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/constants.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

using plan::Expr;
using plan::Op;
using values::PrimType;


/// `min` and `max` of integers: `std::max<int64_t>(16 * k, 256)` on the host.
std::string extremum(const std::string& function, const std::vector<Expr>& args,
                     const Place& place) {
  if (place.side == Side::device && place.is_shared) {
    const std::string shared = function == "min" ? "smaller_of" : "larger_of";
    place.need_template(shared);
    return fmt::format("{}<{}>({})", shared, type_text(args[0].type.prim, place), expressions(args, place));
  }
  // CUDA's are declared in every file, also where no <algorithm> is included.
  if (place.side == Side::device) {
    return fmt::format("{}({})", function, expressions(args, place, Literals::exact));
  }
  place.need_header("algorithm");
  bool typed = false;
  for (const Expr& arg : args) typed = typed || is_number(arg) || arg.type != args[0].type;
  const std::string type = typed ? fmt::format("<{}>", type_text(args[0].type.prim, place)) : "";
  return fmt::format("std::{}{}({})", function, type, expressions(args, place));
}

/// The check of this number, as a Failure counts it.
Expr numbered(const Expr& site) {
  const auto number = std::get<plan::Literal>(site.head).value.as_int() + first_check;
  return {plan::Literal{values::PrimValue::of_int(PrimType::i32, number)}, {}, {PrimType::i32}};
}

Bound call(const plan::Call& call, const Expr& expr, const Place& place) {
  if (call.function == "min" || call.function == "max") {
    return {extremum(call.function, expr.args, place)};
  }
  const std::string name = plan::runtime::without_arguments(call.function);
  if (templates::find(name, place.dialect.language)) place.need_template(name);
  if (name == "load_lanes" || name == "store_lanes") place.need_template("lanes");
  std::vector<Expr> args;
  for (const Expr& arg : expr.args) args.push_back(without_widening(arg));
  if (plan::runtime::is_check(call.function)) args.at(1) = numbered(args.at(1));
  return {fmt::format("{}({})", call.function, expressions(args, place))};
}

Bound variable(const plan::Var& var, const Place& place) {
  if (plan::runtime::is_constant(var.name) && templates::find(var.name, place.dialect.language)) place.need_template(var.name);
  return {var.name};
}

Bound cast(const Expr& expr, const Place& place) {
  const Expr& operand = expr.args.at(0);
  const std::string type = type_text(expr.type, place);
  const std::string text = expression(operand, place, Literals::exact);
  const bool to_i64 = expr.type == plan::Type{PrimType::i64};
  const bool widens =
      to_i64 && (operand.type.prim == PrimType::i32 || operand.type.prim == PrimType::u32);
  if (to_i64 && std::holds_alternative<plan::Position>(operand.head))
    return {fmt::format("int64_t({})", text)};
  const bool name = std::holds_alternative<plan::Var>(operand.head) ||
                    std::holds_alternative<plan::Field>(operand.head);
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
  std::string result = enclosed(bound_expression(expr.args.at(0), Literals::converted, place), Binding::primary);
  for (std::size_t i = 1; i < expr.args.size(); ++i) result += fmt::format("[{}]", expression(expr.args[i], place));
  return {std::move(result)};
}

Bound field(const plan::Field& field, const Expr& expr, const Place& place) {
  const bool of_pointee = expr.args.at(0).head == plan::Head(Op::dereference);
  const Expr& of = of_pointee ? expr.args[0].args.at(0) : expr.args[0];
  const std::string text =
      enclosed(bound_expression(of, Literals::converted, place), Binding::primary);
  return {fmt::format("{}{}{}", text, of_pointee || of.type.pointer ? "->" : ".", field.name)};
}

}  // namespace

const Expr& without_widening(const Expr& expr) {
  if (!std::holds_alternative<plan::Cast>(expr.head) || expr.type != plan::Type{PrimType::i64}) return expr;
  const Expr& operand = expr.args.front();
  const bool narrower = operand.type == plan::Type{PrimType::i32} || operand.type == plan::Type{PrimType::u32};
  return narrower ? operand : expr;
}

Bound bound_expression(const Expr& expr, Literals literals, const Place& place) {
  return ir::match(
      expr.head, [&](const plan::Var& var) { return variable(var, place); },
      [&](const plan::Literal& literal) -> Bound {
        std::string text = literal_text(literal.value, literals, place);
        const bool negative = text.starts_with('-');
        if (const auto name = plan::formula::name_of_constant(literal.value)) text += " /* " + *name + " */";
        return {std::move(text), negative ? Binding::unary : Binding::primary};
      },
      [](const plan::NullPointer&) -> Bound { return {"nullptr"}; },
      [](const plan::Position& position) -> Bound {
        return {std::string(plan::name_of(position))};
      },
      [&](const Op& op) { return operation(op, expr, literals, place); },
      [&](const plan::Intrinsic&) { return intrinsic(expr, place); },
      [&](const plan::Call& function) { return call(function, expr, place); },
      [&](const plan::Cast&) { return cast(expr, place); },
      [&](const plan::Convert& convert) { return conversion(convert, expr, place); },
      [&](const plan::Element&) { return element(expr, place); },
      [&](const plan::Field& member) { return field(member, expr, place); },
      [&](const plan::Construct&) -> Bound {
        return {
            fmt::format("{}{{{}}}", type_text(expr.type, place), initializers(expr.args, place))};
      },
      [&](const plan::SizeOf& size) -> Bound {
        return {fmt::format("sizeof({})", type_text(size.of, place))};
      });
}

std::string expression(const Expr& expr, const Place& place, Literals literals) {
  return bound_expression(expr, literals, place).text;
}

std::string expressions(const std::vector<Expr>& list, const Place& place, Literals literals) {
  std::string result;
  for (const Expr& expr : list)
    result += (result.empty() ? "" : ", ") + expression(expr, place, literals);
  return result;
}

std::string initializers(const std::vector<Expr>& list, const Place& place) {
  std::string result;
  for (const Expr& expr : list) {
    // A literal alone becomes whatever has its value, and any `int` becomes an int64_t.
    const bool narrowed = !is_literal(expr) && is_number(expr) && expr.type.prim != PrimType::i64;
    const Literals literals = narrowed ? Literals::exact : Literals::converted;
    result += (result.empty() ? "" : ", ") + expression(expr, place, literals);
  }
  return result;
}

}  // namespace boustro::text
