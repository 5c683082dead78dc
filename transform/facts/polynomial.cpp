#include "transform/facts/polynomial.hpp"

#include <algorithm>

namespace boustro::facts {

using namespace ir;

namespace {

std::int64_t wrapped_sum(std::int64_t x, std::int64_t y) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
}
std::int64_t wrapped_product(std::int64_t x, std::int64_t y) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
}

}  // namespace

Polynomial::Polynomial(std::int64_t constant) { add({}, constant); }

Polynomial::Polynomial(const Name& name) { add({name}, 1); }

Polynomial::Polynomial(const Atom& atom) {
  if (const Name* name = name_in(atom)) add({*name}, 1);
  else add({}, std::get<PrimValue>(atom).as_int());
}

void Polynomial::add(const Product& product, std::int64_t coefficient) {
  std::int64_t& sum = terms_[product];
  sum = wrapped_sum(sum, coefficient);
  if (sum == 0) terms_.erase(product);
}

Polynomial operator+(const Polynomial& x, const Polynomial& y) {
  Polynomial sum = x;
  for (const auto& [product, coefficient] : y.terms_) sum.add(product, coefficient);
  return sum;
}

Polynomial operator-(const Polynomial& x, const Polynomial& y) { return x + Polynomial(-1) * y; }

Polynomial operator*(const Polynomial& x, const Polynomial& y) {
  Polynomial result;
  for (const auto& [left, a] : x.terms_)
    for (const auto& [right, b] : y.terms_) {
      Polynomial::Product product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(product));
      result.add(product, wrapped_product(a, b));
    }
  return result;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  const auto& [product, coefficient] = *terms_.begin();
  return terms_.size() == 1 && product.empty() ? std::optional(coefficient) : std::nullopt;
}

bool Polynomial::mentions(const Name& name) const { return degree_in(name) > 0; }

NameSet Polynomial::names() const {
  NameSet names;
  for (const auto& [product, coefficient] : terms_) names.insert(product.begin(), product.end());
  return names;
}

int Polynomial::degree_in(const Name& name) const {
  std::ptrdiff_t degree = 0;
  for (const auto& [product, coefficient] : terms_)
    degree = std::max(degree, std::count(product.begin(), product.end(), name));
  return static_cast<int>(degree);
}

std::optional<Polynomial::Linear> Polynomial::linear_in(const Name& name) const {
  if (degree_in(name) > 1) return std::nullopt;
  Linear linear;
  for (const auto& [product, coefficient] : terms_) {
    Product others = product;
    Polynomial& part = std::erase(others, name) ? linear.slope : linear.rest;
    part.add(others, coefficient);
  }
  return linear;
}

Polynomial Polynomial::with(const Name& name, const Polynomial& value) const {
  Polynomial result;
  for (const auto& [product, coefficient] : terms_) {
    Polynomial term(coefficient);
    for (const Name& factor : product) term = term * (factor == name ? value : Polynomial(factor));
    result = result + term;
  }
  return result;
}

std::string to_string(const Polynomial& p) {
  std::string text;
  const auto put = [&](const Polynomial::Product& product, std::int64_t coefficient) {
    const bool negative = coefficient < 0;
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    const std::string number = std::to_string(coefficient).substr(negative);
    if (product.empty() || number != "1") text += number + (product.empty() ? "" : "*");
    for (std::size_t i = 0; i < product.size(); ++i) text += (i ? "*" : "") + product[i].base;
  };
  for (const auto& [product, coefficient] : p.terms())
    if (!product.empty()) put(product, coefficient);
  if (const auto found = p.terms().find({}); found != p.terms().end()) put({}, found->second);
  return text.empty() ? "0" : text;
}

}  // namespace boustro::facts
