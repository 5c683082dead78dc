// Which elements of an array are different ones.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// What is known of the signs of variables, from statements before, and loops around.
struct Signs {
  std::set<std::string> not_negative, positive;  // those that are 1 or more are in both

  bool is_not_negative(const Expr& expr) const;
  /// A constant that counts threads or what is known.
  void learn(const Stm& stm);
  /// Where an iteration of the statement is, if it is a loop: `n` is positive in `for (i = 0; i < n; ++i)`.
  Signs inside(const Stm& stm) const;
};

/// Whether two indices differ: what they differ by is a sum of products that are not negative, one of them positive, all added or all
/// subtracted, as of `3 * b + i` and `7 * b + i` if b is positive. False if that is not known.
bool are_apart(const Expr& x, const Expr& y, const Signs& signs);

}  // namespace boustro::plan::planner
