// The derivative of a lambda at given arguments, as statements in place of a Jvp or Vjp.
#pragma once

#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// Statements for `stm`, a Jvp, Vjp or WithVjp, that bind what its pattern binds. `used`: names used anywhere in the
/// function; adjoints and results that are not among them are not computed.
std::vector<ir::Stm> derive(Derivation& derivation, const ir::Stm& stm, const ir::NameSet& used);

}  // namespace boustro::ad
