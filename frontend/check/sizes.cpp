#include "frontend/check/sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/polynomial.hpp"
#include "frontend/check/types.hpp"

namespace boustro::check {
namespace {

Exp i64_literal(std::int64_t value, SourceRange at) {
  return {Literal{PrimValue::of_int(PrimType::i64, value)}, prim_type(PrimType::i64), at};
}

/// f and its arguments, if the expression is `f x y ..` for a named f.
struct Call {
  const Var* function;
  std::vector<const Exp*> args;
};
std::optional<Call> as_call(const Exp& exp) {
  Call call;
  const Exp* at = &exp;
  while (const auto* apply = std::get_if<Apply>(&at->node)) {
    if (!apply->existentials.empty()) return std::nullopt;
    call.args.insert(call.args.begin(), &*apply->argument);
    at = &*apply->function;
  }
  call.function = std::get_if<Var>(&at->node);
  if (!call.function || call.args.empty()) return std::nullopt;
  return call;
}

std::optional<Intrinsic> operator_of(const Call& call) {
  if (!is_intrinsic(call.function->name)) return std::nullopt;
  return intrinsic_of(call.function->name);
}

bool is_length(const Call& call) { return operator_of(call) == Intrinsic::length; }

bool is_scalar_or_record(const Type& type) {
  return std::holds_alternative<PrimType>(type.node) ||
         std::holds_alternative<RecordType>(type.node);
}

bool may_stand_in_a_size(const Exp& exp) {
  if (std::holds_alternative<Literal>(exp.node) || std::holds_alternative<Var>(exp.node))
    return true;
  if (const auto* project = std::get_if<Project>(&exp.node))
    return may_stand_in_a_size(*project->record);
  const auto call = as_call(exp);
  if (!call) return false;
  const int id = call->function->name.id;
  const auto op = operator_of(*call);
  if (id >= 0 && !call->function->is_top_level) return false;
  if (op == Intrinsic::length) return true;
  if (op && class_of(*op) == TypeClass::any) return false;
  return std::all_of(call->args.begin(), call->args.end(), [](const Exp* arg) {
    return may_stand_in_a_size(*arg) && is_scalar_or_record(arg->type);
  });
}

std::optional<std::int64_t> fold(Intrinsic op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Intrinsic::add:
      if (!__builtin_add_overflow(a, b, &result)) return result;
      return std::nullopt;
    case Intrinsic::sub:
      if (!__builtin_sub_overflow(a, b, &result)) return result;
      return std::nullopt;
    case Intrinsic::mul:
      if (!__builtin_mul_overflow(a, b, &result)) return result;
      return std::nullopt;
    case Intrinsic::div:
      if (a >= 0 && b > 0) return a / b;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> constant_of(const Exp& exp) {
  if (const auto* literal = std::get_if<Literal>(&exp.node))
    return values::is_integer(literal->value.type) ? std::optional(literal->value.as_int())
                                                   : std::nullopt;
  const auto call = as_call(exp);
  if (!call || call->args.size() != 2 || !is_prim(exp.type, PrimType::i64)) return std::nullopt;
  const auto op = operator_of(*call);
  const auto a = constant_of(*call->args[0]), b = constant_of(*call->args[1]);
  return op && a && b ? fold(*op, *a, *b) : std::nullopt;
}

/// `length xs` is the size of xs, and + 0 is dropped. Products stay, since `unflatten` takes them
/// apart.
Exp simplified(Exp exp) {
  const auto call = as_call(exp);
  if (!call) return exp;
  if (is_length(*call) && call->function->size_args.size() == 1)
    return expression_of_size(call->function->size_args[0], exp.at);
  const auto op = operator_of(*call);
  if (!op || call->args.size() != 2 || !is_prim(exp.type, PrimType::i64)) return exp;
  const auto a = constant_of(*call->args[0]), b = constant_of(*call->args[1]);
  if (b == 0 && (*op == Intrinsic::add || *op == Intrinsic::sub)) return Exp(*call->args[0]);
  if (a == 0 && *op == Intrinsic::add) return Exp(*call->args[1]);
  return exp;
}

Size size_of_simplified(Exp exp) {
  if (const auto* literal = std::get_if<Literal>(&exp.node);
      literal && literal->value.type == PrimType::i64)
    return literal->value.as_int();
  if (const auto* var = std::get_if<Var>(&exp.node); var && var->name.id >= 0) return var->name;
  return SizeExp{std::make_shared<const Exp>(std::move(exp))};
}

Size binary(Intrinsic op, const Size& lhs, const Size& rhs) {
  const Type i64 = prim_type(PrimType::i64);
  const Type partial = function_type(i64, i64);
  Exp function{Var{intrinsic_name(op), {i64}, {}}, function_type(i64, partial), {}};
  Exp first{Apply{std::move(function), expression_of_size(lhs), {}}, partial, {}};
  Exp result = simplified({Apply{std::move(first), expression_of_size(rhs), {}}, i64, {}});
  if (const auto value = constant_of(result)) return *value;
  return size_of_simplified(std::move(result));
}

Exp rewrite_expression(const Exp& exp,
                       const std::function<std::optional<Size>(const Name&)>& replacement) {
  return match(
      exp.node,
      [&](const Var& var) -> Exp {
        if (const auto size = replacement(var.name)) return expression_of_size(*size, exp.at);
        Var copy = var;
        for (Size& size : copy.size_args) size = rewrite_names(size, replacement);
        for (Type& type : copy.type_args)
          type =
              rewrite(type, {.size = [&](const Size& s) { return rewrite_names(s, replacement); },
                             .variable = {}});
        return {std::move(copy), exp.type, exp.at};
      },
      [&](const Project& project) -> Exp {
        return {Project{rewrite_expression(*project.record, replacement), project.field}, exp.type,
                exp.at};
      },
      [&](const Apply& apply) -> Exp {
        return simplified({Apply{rewrite_expression(*apply.function, replacement),
                                 rewrite_expression(*apply.argument, replacement),
                                 {}},
                           exp.type, exp.at});
      },
      [&](const auto&) -> Exp { return exp; });
}

void for_each_name_in(const Exp& exp, const std::function<void(const Name&)>& visit) {
  match(
      exp.node,
      [&](const Var& var) {
        if (var.name.id >= 0 && !var.is_top_level) visit(var.name);
        for (const Size& size : var.size_args) for_each_name(size, visit);
      },
      [&](const Project& project) { for_each_name_in(*project.record, visit); },
      [&](const Apply& apply) {
        for_each_name_in(*apply.function, visit);
        for_each_name_in(*apply.argument, visit);
      },
      [](const auto&) {});
}

std::string_view symbol_of(Intrinsic op) {
  switch (op) {
    case Intrinsic::add:
      return "+";
    case Intrinsic::sub:
      return "-";
    case Intrinsic::mul:
      return "*";
    case Intrinsic::div:
      return "/";
    case Intrinsic::mod:
      return "%";
    case Intrinsic::quot:
      return "//";
    case Intrinsic::rem:
      return "%%";
    case Intrinsic::pow:
      return "**";
    default:
      return "";
  }
}

std::string print(const Exp& exp, bool nested) {
  return match(
      exp.node,
      [](const Literal& literal) {
        return literal.value.type == PrimType::i64 ? std::to_string(literal.value.as_int())
                                                   : values::to_string(literal.value);
      },
      [](const Var& var) { return var.name.text; },
      [](const Project& project) { return print(*project.record, true) + "." + project.field; },
      [&](const Apply&) -> std::string {
        const auto call = as_call(exp);
        if (!call) return "...";
        const auto op = operator_of(*call);
        std::string text;
        if (op && call->args.size() == 2 && !symbol_of(*op).empty()) {
          text = fmt::format("{} {} {}", print(*call->args[0], true), symbol_of(*op),
                             print(*call->args[1], true));
        } else {
          text = call->function->name.text;
          for (const Exp* arg : call->args) text += " " + print(*arg, true);
        }
        return nested ? "(" + text + ")" : text;
      },
      [](const auto&) -> std::string { return "..."; });
}

}  // namespace

std::optional<Size> size_of_expression(const Exp& exp) {
  if (const auto call = as_call(exp); call && is_length(*call))
    return size_of_simplified(simplified(exp));
  if (!may_stand_in_a_size(exp)) return std::nullopt;
  return rewrite_names(size_of_simplified(exp), [](const Name&) { return std::nullopt; });
}

Exp expression_of_size(const Size& size, SourceRange at) {
  return match(
      size, [&](SizeConstant value) { return i64_literal(value, at); },
      [&](const Name& name) -> Exp { return {Var{name, {}, {}}, prim_type(PrimType::i64), at}; },
      [](const SizeExp& exp) { return *exp.exp; },
      [&](AnySize) -> Exp { return {Hole{}, prim_type(PrimType::i64), at}; });
}

bool is_atomic(const Exp& exp) {
  return std::holds_alternative<Literal>(exp.node) || std::holds_alternative<Var>(exp.node) ||
         std::holds_alternative<Lambda>(exp.node);
}

Size add_sizes(const Size& lhs, const Size& rhs) { return binary(Intrinsic::add, lhs, rhs); }
Size subtract_sizes(const Size& lhs, const Size& rhs) { return binary(Intrinsic::sub, lhs, rhs); }
Size multiply_sizes(const Size& lhs, const Size& rhs) { return binary(Intrinsic::mul, lhs, rhs); }

bool equal_size_expressions(const Exp& a, const Exp& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const auto* x = std::get_if<Var>(&a.node)) return x->name == std::get<Var>(b.node).name;
  if (const auto* x = std::get_if<Literal>(&a.node))
    return x->value == std::get<Literal>(b.node).value;
  if (const auto* x = std::get_if<Project>(&a.node)) {
    const auto& y = std::get<Project>(b.node);
    return x->field == y.field && equal_size_expressions(*x->record, *y.record);
  }
  if (const auto* x = std::get_if<Apply>(&a.node)) {
    const auto& y = std::get<Apply>(b.node);
    return equal_size_expressions(*x->function, *y.function) &&
           equal_size_expressions(*x->argument, *y.argument);
  }
  return false;
}

bool equal_sizes(const Size& a, const Size& b) {
  if (std::holds_alternative<SizeExp>(a) || std::holds_alternative<SizeExp>(b))
    return Polynomial(a) == Polynomial(b);
  if (a.index() != b.index()) return false;
  return match(
      a, [&](SizeConstant value) { return value == std::get<SizeConstant>(b); },
      [&](const Name& name) { return name == std::get<Name>(b); },
      [](const SizeExp&) { return false; }, [](AnySize) { return true; });
}

Size rewrite_names(const Size& size,
                   const std::function<std::optional<Size>(const Name&)>& replacement) {
  return match(
      size, [](SizeConstant value) -> Size { return value; },
      [&](const Name& name) -> Size { return replacement(name).value_or(name); },
      [&](const SizeExp& exp) -> Size {
        return size_of_simplified(rewrite_expression(*exp.exp, replacement));
      },
      [](AnySize any) -> Size { return any; });
}

void for_each_name(const Size& size, const std::function<void(const Name&)>& visit) {
  match(
      size, [](SizeConstant) {}, [&](const Name& name) { visit(name); },
      [&](const SizeExp& exp) { for_each_name_in(*exp.exp, visit); }, [](AnySize) {});
}

std::string to_string(const Size& size) {
  return match(
      size, [](SizeConstant value) { return std::to_string(value); },
      [](const Name& name) { return name.text; },
      [](const SizeExp& exp) { return print(*exp.exp, false); },
      [](AnySize) { return std::string(); });
}

}  // namespace boustro::check
