// Polynomials with integer coefficients over names of integers: how sizes, indices and work are compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

/// 2*n*m - i + 3. Coefficients wrap around, as i64 arithmetic does, so that equal polynomials are equal numbers.
class Polynomial {
 public:
  Polynomial(std::int64_t constant = 0);
  Polynomial(const ir::Name& name);
  /// Of an integer literal or a name.
  explicit Polynomial(const ir::Atom& atom);

  friend Polynomial operator+(const Polynomial& x, const Polynomial& y);
  friend Polynomial operator-(const Polynomial& x, const Polynomial& y);
  friend Polynomial operator*(const Polynomial& x, const Polynomial& y);
  bool operator==(const Polynomial&) const = default;

  /// The number that it is, whatever the names stand for.
  std::optional<std::int64_t> constant() const;
  bool mentions(const ir::Name& name) const;
  ir::NameSet names() const;
  /// The highest power of the name.
  int degree_in(const ir::Name& name) const;
  /// p as `slope * name + rest`, neither of which mentions the name; nothing if it occurs in a higher power.
  struct Linear;
  std::optional<Linear> linear_in(const ir::Name& name) const;
  Polynomial with(const ir::Name& name, const Polynomial& value) const;
  /// The coefficient of each product of names, which are in order.
  using Product = std::vector<ir::Name>;
  const std::map<Product, std::int64_t>& terms() const { return terms_; }

 private:
  void add(const Product& product, std::int64_t coefficient);
  std::map<Product, std::int64_t> terms_;  // none of them 0
};

struct Polynomial::Linear {
  Polynomial slope, rest;
};

/// 2*m*n + 3, for messages and tests: names without tags, the constant last.
std::string to_string(const Polynomial& p);

}  // namespace boustro::facts
