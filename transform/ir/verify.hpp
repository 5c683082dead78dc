// Checks that a program obeys the rules of ir.hpp. Runs after every pass in tests and debug builds.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// All violations, each a sentence that names the function and statement; empty if there are none.
std::vector<std::string> verify(const Program& program);

/// Throws InternalError naming `pass` and the violations.
void verify_or_throw(const Program& program, std::string_view pass);

}  // namespace boustro::ir
