// Which variables a statement declares, and which it names otherwise than in an expression.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// The variables that a statement itself declares, for those behind it or, of a loop, for its body. They live as long as the statement.
std::vector<std::string*> declared(Stm& stm);

/// Buffers that it fills, exchanges or hands over, and pointers that it exchanges.
std::vector<std::string*> named(Stm& stm);

/// Functions and the like that the statements call, whose names a variable would hide.
std::set<std::string> called_in(const Stms& stms);

}  // namespace boustro::plan
