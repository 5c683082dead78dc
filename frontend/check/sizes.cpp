#include "frontend/check/sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/polynomial.hpp"
#include "frontend/check/traverse.hpp"
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

/// A local name of something else than a number, or part of one: an array.
bool is_local_array(const Exp& exp) {
  const auto* var = std::get_if<Var>(&exp.node);
  return var && var->name.id >= 0 && !var->is_top_level &&
         !std::holds_alternative<PrimType>(exp.type.node);
}

/// `r.n` or `r.m.n`, but not `rs[0].n`.
bool is_number_in_record(const Exp& exp) {
  const auto* project = std::get_if<Project>(&exp.node);
  if (!project || !std::holds_alternative<PrimType>(exp.type.node)) return false;
  const Exp* record = &*project->record;
  while (const auto* outer = std::get_if<Project>(&record->node)) record = &*outer->record;
  return std::holds_alternative<Var>(record->node);
}

bool uses_local_array(const Exp& exp) {
  if (is_local_array(exp)) return true;
  if (is_number_in_record(exp)) return false;
  bool found = false;
  for_each_child(exp, [&](const Exp& child) { found = found || uses_local_array(child); });
  return found;
}

bool may_stand_in_a_size(const Exp& exp);

bool may_stand_in_a_size(const Index& index) {
  const bool all_elements =
      std::all_of(index.indices.begin(), index.indices.end(), [](const DimIndex& i) {
        const auto* element = std::get_if<Box<Exp>>(&i);
        return element && may_stand_in_a_size(**element);
      });
  return all_elements && may_stand_in_a_size(*index.array);
}

// A size may be computed again, so it must not consume anything.
bool may_stand_in_a_size(const Apply& apply) {
  const auto* type = std::get_if<FunctionType>(&apply.function->type.node);
  const bool consumes = type && type->consumes && uses_local_array(*apply.argument);
  return apply.existentials.empty() && !consumes && may_stand_in_a_size(*apply.function) &&
         may_stand_in_a_size(*apply.argument);
}

bool may_stand_in_a_size(const Exp& exp) {
  return match(
      exp.node, [](const Literal&) { return true; },
      [&](const Var& var) {
        const bool is_local = var.name.id >= 0 && !var.is_top_level;
        return !is_local || !mentions_function(exp.type);
      },
      [](const Project& project) { return may_stand_in_a_size(*project.record); },
      [](const Apply& apply) { return may_stand_in_a_size(apply); },
      [](const Index& index) { return may_stand_in_a_size(index); },
      [](const auto&) { return false; });
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

using Replacement = std::function<std::optional<Size>(const Name&)>;

Type rewrite_sizes(const Type& type, const Replacement& replacement) {
  if (std::holds_alternative<PrimType>(type.node)) return type;
  return rewrite(
      type, {.size = [&](const Size& s) { return rewrite_names(s, replacement); }, .variable = {}});
}

Exp rewrite_expression(const Exp& exp, const Replacement& replacement) {
  const auto inside = [&](const Exp& part) { return rewrite_expression(part, replacement); };
  Type type = rewrite_sizes(exp.type, replacement);
  return match(
      exp.node,
      [&](const Var& var) -> Exp {
        if (const auto size = replacement(var.name)) {
          Exp other = expression_of_size(*size, exp.at);
          if (std::holds_alternative<Name>(*size)) other.type = std::move(type);
          return other;
        }
        Var copy = var;
        for (Size& size : copy.size_args) size = rewrite_names(size, replacement);
        for (Type& arg : copy.type_args) arg = rewrite_sizes(arg, replacement);
        return {std::move(copy), std::move(type), exp.at};
      },
      [&](const Project& project) -> Exp {
        return {Project{inside(*project.record), project.field}, std::move(type), exp.at};
      },
      [&](const Apply& apply) -> Exp {
        return simplified(
            {Apply{inside(*apply.function), inside(*apply.argument), {}}, std::move(type), exp.at});
      },
      [&](const Index& index) -> Exp {
        std::vector<DimIndex> indices;
        for (const DimIndex& i : index.indices)
          indices.push_back(Box<Exp>(inside(*std::get<Box<Exp>>(i))));
        return {Index{inside(*index.array), std::move(indices), {}}, std::move(type), exp.at};
      },
      [&](const auto&) -> Exp { return exp; });
}

void for_each_name_in(const Exp& exp, const std::function<void(const Name&)>& visit) {
  if (const auto* var = std::get_if<Var>(&exp.node)) {
    if (var->name.id >= 0 && !var->is_top_level) visit(var->name);
    for (const Size& size : var->size_args) for_each_name(size, visit);
    for (const Type& type : var->type_args)
      for_each_size(type, [&](const Size& size) { for_each_name(size, visit); });
  }
  for_each_child(exp, [&](const Exp& child) { for_each_name_in(child, visit); });
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

/// i64.i32
std::string conversion_text(const Var& convert) {
  return to_string(convert.type_args.at(1)) + "." + to_string(convert.type_args.at(0));
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
      [](const Index& index) {
        std::string indices;
        for (const DimIndex& i : index.indices)
          indices += (indices.empty() ? "" : ", ") + print(*std::get<Box<Exp>>(i), false);
        return print(*index.array, true) + "[" + indices + "]";
      },
      [&](const Apply&) -> std::string {
        const auto call = as_call(exp);
        if (!call) return "...";
        const auto op = operator_of(*call);
        std::string text;
        if (op && call->args.size() == 2 && !symbol_of(*op).empty()) {
          text = fmt::format("{} {} {}", print(*call->args[0], true), symbol_of(*op),
                             print(*call->args[1], true));
        } else {
          text = op == Intrinsic::convert ? conversion_text(*call->function)
                                          : call->function->name.text;
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

// Sizes in them are those of the arguments.
std::string overload_of(const Var& var) {
  std::string text;
  for (const Type& type : var.type_args)
    text += " " + to_string(rewrite(type, {.size = [](const Size&) -> Size { return AnySize{}; },
                                           .variable = {}}));
  return text;
}

bool equal_size_expressions(const Exp& a, const Exp& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const auto* x = std::get_if<Var>(&a.node)) {
    const auto& y = std::get<Var>(b.node);
    return x->name == y.name && overload_of(*x) == overload_of(y);
  }
  if (const auto* x = std::get_if<Literal>(&a.node))
    return x->value == std::get<Literal>(b.node).value;
  if (const auto* x = std::get_if<Project>(&a.node)) {
    const auto& y = std::get<Project>(b.node);
    return x->field == y.field && equal_size_expressions(*x->record, *y.record);
  }
  if (const auto* x = std::get_if<Index>(&a.node)) {
    const auto& y = std::get<Index>(b.node);
    const auto same = [](const DimIndex& i, const DimIndex& j) {
      return equal_size_expressions(*std::get<Box<Exp>>(i), *std::get<Box<Exp>>(j));
    };
    return equal_size_expressions(*x->array, *y.array) &&
           std::equal(x->indices.begin(), x->indices.end(), y.indices.begin(), y.indices.end(),
                      same);
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

void for_each_array(const Size& size, const std::function<void(const Name&)>& visit) {
  const std::function<void(const Exp&)> walk = [&](const Exp& exp) {
    if (!uses_local_array(exp)) return;
    if (is_local_array(exp)) visit(std::get<Var>(exp.node).name);
    for_each_child(exp, walk);
  };
  if (const auto* exp = std::get_if<SizeExp>(&size)) walk(*exp->exp);
}
bool mentions_array(const Size& size) {
  const auto* exp = std::get_if<SizeExp>(&size);
  return exp && uses_local_array(*exp->exp);
}

std::string to_string(const Size& size) {
  return match(
      size, [](SizeConstant value) { return std::to_string(value); },
      [](const Name& name) { return name.text; },
      [](const SizeExp& exp) { return print(*exp.exp, false); },
      [](AnySize) { return std::string(); });
}

}  // namespace boustro::check
