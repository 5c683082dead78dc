// Sizes as sums of products, for telling whether two that are written differently are equal.
//
// Arithmetic on i64 wraps around, so +, - and * obey the laws of a ring, and sizes with the same
// normal form are equal whatever the names in them stand for. What is no sum or product (n / 2, f
// x) stands for itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/check/typed.hpp"

namespace boustro::check {

class Polynomial {
 public:
  explicit Polynomial(const Exp& size);
  explicit Polynomial(const Size& size);

  bool operator==(const Polynomial& other) const { return terms_ == other.terms_; }

  /// If `a` equals `b` exactly if an open name is a certain sum of sizes: that name and the sum.
  static std::optional<std::pair<Name, Size>> solve(
      const Polynomial& a, const Polynomial& b, const std::function<bool(const Name&)>& is_open);

 private:
  using Coefficient = std::uint64_t;         // modulo 2^64, as the arithmetic itself
  using Product = std::vector<std::string>;  // keys of the factors, sorted; with repetition
  Polynomial() = default;
  static Polynomial of(const Exp& exp);
  static Polynomial constant(Coefficient value);
  void add(const Polynomial& other, Coefficient factor);
  Polynomial times(const Polynomial& other) const;
  std::string key() const;
  static std::string key_of(const Exp& exp);
  std::optional<Size> sum_without(const Product& product, bool negated) const;

  std::map<Product, Coefficient> terms_;  // none with coefficient 0
  std::map<std::string, Exp> factors_;    // what the keys stand for
};

}  // namespace boustro::check
