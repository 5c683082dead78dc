// Quotients by 1 + exp w, of which the logistic function is one: differentiated by w at once.
//
//     z = c / (1 + e), e = exp w      has the derivative -z * r by w      where r = e / (1 + e) = 1 - 1 / (1 + e)
//
// Step by step it is -z / (1 + e) by the divisor, times e: where exp w overflows, and z is 0, that is 0 * inf. r is the first for e up to 1, where
// the second would be rounded to 0 too soon, and the second for larger e. A derivative of this one is 0 * inf again where exp w overflows, since the
// branch that is not taken hands 0 back to e.
// Source   derived here
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "transform/ad/scalar.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

struct Logistic {
  ir::Atom exponent, power, divisor;  // w, e, 1 + e
};

class Logistics {
 public:
  /// Those among the statements of a scope. Where w is not of the scope that divides, nobody there would know that its adjoint changes.
  void note(const std::vector<ir::Stm>& scope);
  std::optional<Logistic> of(const ir::Stm& stm) const;

 private:
  std::unordered_map<ir::Name, Logistic> quotients_;
};

/// The operands that a scalar operator is differentiated by: c and w where it is such a quotient.
std::vector<ir::Atom> operands_of(const ir::Exp& exp, const std::optional<Logistic>& logistic);
/// By operand number `operand` of these.
Partial partial_of(ir::Builder& builder, const ir::Exp& exp, const std::optional<Logistic>& logistic, const ir::Atom& result, std::size_t operand);

}  // namespace boustro::ad
