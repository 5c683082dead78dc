#include "frontend/check/polynomial.hpp"

#include <algorithm>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/check/types.hpp"

namespace boustro::check {
namespace {

constexpr std::size_t most_terms = 64;  // of a product that is multiplied out

struct Operation {
  Intrinsic op;
  const Exp *lhs, *rhs;
};
std::optional<Operation> as_operation(const Exp& exp) {
  const auto* outer = std::get_if<Apply>(&exp.node);
  const auto* inner = outer ? std::get_if<Apply>(&outer->function->node) : nullptr;
  const auto* head = inner ? std::get_if<Var>(&inner->function->node) : nullptr;
  if (!head || !is_intrinsic(head->name) || !is_prim(exp.type, PrimType::i64)) return std::nullopt;
  return Operation{intrinsic_of(head->name), &*inner->argument, &*outer->argument};
}

}  // namespace

Polynomial::Polynomial(const Exp& size) : Polynomial(of(size)) {}
Polynomial::Polynomial(const Size& size) : Polynomial(of(expression_of_size(size))) {}

Polynomial Polynomial::constant(Coefficient value) {
  Polynomial result;
  if (value != 0) result.terms_.emplace(Product{}, value);
  return result;
}

Polynomial Polynomial::of(const Exp& exp) {
  if (const auto* literal = std::get_if<Literal>(&exp.node);
      literal && values::is_integer(literal->value.type))
    return constant(static_cast<Coefficient>(literal->value.as_int()));
  const auto operation = as_operation(exp);
  if (operation && (operation->op == Intrinsic::add || operation->op == Intrinsic::sub)) {
    Polynomial sum = of(*operation->lhs);
    sum.add(of(*operation->rhs),
            operation->op == Intrinsic::add ? 1 : static_cast<Coefficient>(-1));
    return sum;
  }
  if (operation && operation->op == Intrinsic::mul) {
    const Polynomial lhs = of(*operation->lhs), rhs = of(*operation->rhs);
    if (lhs.terms_.size() * rhs.terms_.size() <= most_terms) return lhs.times(rhs);
  }
  Polynomial result;
  const std::string key = key_of(exp);
  result.terms_.emplace(Product{key}, 1);
  result.factors_.emplace(key, exp);
  return result;
}

void Polynomial::add(const Polynomial& other, Coefficient factor) {
  for (const auto& [product, coefficient] : other.terms_) {
    Coefficient& sum = terms_[product];
    sum += factor * coefficient;
    if (sum == 0) terms_.erase(product);
  }
  factors_.insert(other.factors_.begin(), other.factors_.end());
}

Polynomial Polynomial::times(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [left, a] : terms_) {
    for (const auto& [right, b] : other.terms_) {
      Polynomial term;
      Product product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(product));
      if (a * b != 0) term.terms_.emplace(std::move(product), a * b);
      result.add(term, 1);
    }
  }
  result.factors_ = factors_;
  result.factors_.insert(other.factors_.begin(), other.factors_.end());
  return result;
}

// ---- Keys: equal exactly for equal expressions

std::string Polynomial::key() const {
  std::string text = "{";
  for (const auto& [product, coefficient] : terms_) {
    text += std::to_string(coefficient);
    for (const std::string& factor : product) text += "*" + factor;
    text += ";";
  }
  return text + "}";
}

std::string Polynomial::key_of(const Exp& exp) {
  const auto part = [](const Exp& inner) {
    return is_prim(inner.type, PrimType::i64) ? of(inner).key() : key_of(inner);
  };
  return match(
      exp.node, [](const Literal& literal) { return "#" + values::to_string(literal.value); },
      [](const Var& var) { return "v" + std::to_string(var.name.id) + overload_of(var); },
      [&](const Project& project) { return part(*project.record) + "." + project.field; },
      [&](const Apply& apply) {
        return "(" + key_of(*apply.function) + " " + part(*apply.argument) + ")";
      },
      [&](const Index& index) {
        std::string text = key_of(*index.array) + "[";
        for (const DimIndex& i : index.indices) text += part(*std::get<Box<Exp>>(i)) + ",";
        return text + "]";
      },
      // Other expressions are equal to themselves alone.
      [&](const auto&) { return "@" + std::to_string(reinterpret_cast<std::uintptr_t>(&exp)); });
}

// ---- Solving

std::optional<std::pair<Name, Size>> Polynomial::solve(
    const Polynomial& a, const Polynomial& b, const std::function<bool(const Name&)>& is_open) {
  Polynomial difference = a;
  difference.add(b, static_cast<Coefficient>(-1));
  for (const auto& [product, coefficient] : difference.terms_) {
    if (product.size() != 1 || (coefficient != 1 && coefficient != static_cast<Coefficient>(-1)))
      continue;
    const auto* var = std::get_if<Var>(&difference.factors_.at(product[0]).node);
    if (!var || !is_open(var->name)) continue;
    if (const auto sum = difference.sum_without(product, coefficient == 1))
      return std::pair(var->name, *sum);
  }
  return std::nullopt;
}

// Only a sum whose coefficients are positive is a size for sure; what is subtracted might be more.
std::optional<Size> Polynomial::sum_without(const Product& left_out, bool negated) const {
  Size sum = SizeConstant(0);
  for (const auto& [product, own_coefficient] : terms_) {
    if (product == left_out) continue;
    if (std::find(product.begin(), product.end(), left_out[0]) != product.end())
      return std::nullopt;
    const auto coefficient =
        static_cast<std::int64_t>(negated ? -own_coefficient : own_coefficient);
    if (coefficient < 0) return std::nullopt;
    Size term = SizeConstant(coefficient);
    for (const std::string& key : product) {
      const Size factor = size_of_expression(factors_.at(key)).value_or(AnySize{});
      const auto* constant = std::get_if<SizeConstant>(&term);
      term = constant && *constant == 1 ? factor : multiply_sizes(term, factor);
    }
    const auto* zero = std::get_if<SizeConstant>(&sum);
    sum = zero && *zero == 0 ? term : add_sizes(sum, term);
  }
  return sum;
}

}  // namespace boustro::check
