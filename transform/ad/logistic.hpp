// Quotients by 1 + exp w, of which the logistic function is one: differentiated by w at once.
//
//     z = c / (1 + exp w)      has the derivative -z (1 - 1 / (1 + exp w)) by w
//
// Step by step it is -z / (1 + exp w) by the divisor, times exp w: where that overflows, and z is 0, it is 0 * inf. This way the exponential is not
// needed, which counts where z is kept for the return sweep, and neither is it in derivatives of the derivative. Where exp w is small beside 1 the
// difference has the absolute error of z.
// Source   1 / (1 + exp (-x)) has the derivative y (1 - y): common knowledge
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "transform/ad/scalar.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

class Logistics {
 public:
  /// Those among the statements of a scope. Where w is not of the scope that divides, nobody there would know that its adjoint changes.
  void note(const std::vector<ir::Stm>& scope);
  /// w, if the statement is one of them.
  std::optional<ir::Atom> exponent_in(const ir::Stm& stm) const;

 private:
  std::unordered_map<ir::Name, ir::Atom> exponents_;  // by quotient
};

/// The operands that a scalar operator is differentiated by: c and w where it is such a quotient.
std::vector<ir::Atom> operands_of(const ir::Exp& exp, const std::optional<ir::Atom>& exponent);
/// By operand number `operand` of these.
Partial partial_of(ir::Builder& builder, const ir::Exp& exp, const std::optional<ir::Atom>& exponent, const ir::Atom& result, std::size_t operand);

}  // namespace boustro::ad
