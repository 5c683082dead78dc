// Loops that add up, multiply or look for the least or largest of terms.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emit/plan/formula/symbolic.hpp"

namespace boustro::plan::formula {

/// A variable that a loop over [0, bound) changes; `start` and `end` are the values of all such
/// variables before the loop and after one iteration, in which "@name" is that before it.
struct Carried {
  std::string name;
  Expr index, bound;
  const std::map<std::string, Expr>& start;
  const std::map<std::string, Expr>& end;
  const std::vector<Named>& definitions;
};

/// Its value after the loop, if the loop is of that kind.
std::optional<Expr> fold(const Carried& carried);

}  // namespace boustro::plan::formula
