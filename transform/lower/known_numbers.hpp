// Numbers that a program computes from nothing, such as a modulus that is read from a string of digits: they are computed
// once, now, instead of in each run of each entry.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"

namespace boustro::lower {

/// The integers and booleans among `wanted` that statements which run once make of no name from outside, by evaluation.
/// `functions` hold those that are called. Floats are left, since targets have functions of their own for them.
/// Nothing if that takes too long, fails, which the program shall do where it stands, or still has derivatives in it;
/// with `checks`, also if an assertion among the statements does not hold.
std::optional<ir::Substitution> known_numbers(const std::vector<ir::Stm>& stms, const std::vector<ir::Atom>& wanted,
                               const std::vector<ir::Function>& functions, bool checks);

}  // namespace boustro::lower
