// The special members of Exp, the only type here with enough alternatives to be worth a unit.

#include "transform/ir/ir.hpp"

namespace boustro::ir {

Exp::Exp(const Exp& other) = default;
Exp::Exp(Exp&& other) noexcept = default;
Exp& Exp::operator=(const Exp& other) = default;
Exp& Exp::operator=(Exp&& other) noexcept = default;
Exp::~Exp() = default;

bool Exp::operator==(const Exp& other) const {
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

}  // namespace boustro::ir
