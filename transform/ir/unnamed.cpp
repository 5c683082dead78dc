#include "transform/ir/unnamed.hpp"

#include <set>

#include "transform/ir/operators.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir {

std::string base_of(BinOpKind kind) {
  switch (kind) {
    case BinOpKind::add:
      return "sum";
    case BinOpKind::sub:
      return "difference";
    case BinOpKind::mul:
      return "product";
    case BinOpKind::div:
    case BinOpKind::quot:
      return "quotient";
    case BinOpKind::mod:
    case BinOpKind::rem:
      return "remainder";
    case BinOpKind::pow:
      return "power";
    case BinOpKind::min:
      return "smaller";
    case BinOpKind::max:
      return "larger";
    default:
      return "bits";
  }
}

std::string base_of(const Convert& convert) {
  const Name* of = name_in(convert.operand);
  if (!of || of->base.empty()) return "converted";
  const bool was_real = values::is_float(convert.from), is_real = values::is_float(convert.to);
  if (is_real != was_real) return of->base + (is_real ? "_real" : "_whole");
  if (convert.to == PrimType::boolean) return of->base + "_holds";
  if (convert.from == PrimType::boolean) return of->base + "_number";
  const int from = values::byte_size(convert.from), to = values::byte_size(convert.to);
  return of->base + (to < from ? "_narrow" : to > from ? "_wide" : values::is_signed(convert.to) ? "_signed" : "_unsigned");
}

std::string base_of_fold(const Lambda& op) {
  const auto kind = as_binop(op);
  if (kind == BinOpKind::mul) return "product";
  if (kind == BinOpKind::min) return "minimum";
  if (kind == BinOpKind::max) return "maximum";
  return "total";
}

std::string unnamed_base(const Exp& exp) {
  if (const auto* op = std::get_if<BinOp>(&exp)) return base_of(op->kind);
  if (const auto* op = std::get_if<UnOp>(&exp)) return std::string(name_of(op->kind));
  if (const auto* math = std::get_if<MathOp>(&exp)) return std::string(name_of(math->fn));
  if (const auto* reduce = std::get_if<Reduce>(&exp)) return base_of_fold(reduce->op);
  if (const auto* scan = std::get_if<Scan>(&exp)) return base_of_fold(scan->op) + "s";
  if (const auto* convert = std::get_if<Convert>(&exp)) return base_of(*convert);
  if (std::holds_alternative<Map>(exp)) return "xs";
  return {};
}

namespace {

std::set<std::string, std::less<>> names_of_operations() {
  std::set<std::string, std::less<>> names{"term", "result"};
  using enum BinOpKind;
  for (const BinOpKind kind : {add, sub, mul, div, rem, pow, min, max, bit_and}) names.insert(base_of(kind));
  for (const UnOpKind kind : {UnOpKind::neg, UnOpKind::complement, UnOpKind::abs, UnOpKind::sgn}) names.emplace(name_of(kind));
  return names;
}

/// What an adjoint or tangent belongs to, of any order.
std::string_view value_of(std::string_view base) {
  for (const std::string_view role : {"_adj", "_tan"})
    while (base.ends_with(role)) base.remove_suffix(role.size());
  return base;
}

}  // namespace

bool names_an_operation(std::string_view base) {
  static const auto operations = names_of_operations();
  return operations.contains(value_of(base));
}

bool is_unnamed(const Exp& exp, std::string_view base) {
  if (base.empty() || base == unnamed_base(exp)) return true;
  const bool letter = std::holds_alternative<Index>(exp) && value_of(base).size() == 1;
  return letter || value_of(base) == "total" || names_an_operation(base);
}

}  // namespace boustro::ir
