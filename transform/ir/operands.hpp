// What expressions do to their operands by their own meaning; what follows through aliases, branches and calls, transform/facts says.
#pragma once

#include <span>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// Operands that the expression itself consumes, as ir.hpp says and by parameters marked unique; not what its branches, or the body
/// of a WithAcc, consume. A Call needs the parameters of its function. Accumulators are not listed.
std::vector<Name> consumed_operands(const Exp& exp, std::span<const Param> callee = {});

/// The operand that the result is another name for or a view of, if there is one: "Aliases" in ir.hpp.
const Name* viewed_operand(const Exp& exp);

}  // namespace boustro::ir
