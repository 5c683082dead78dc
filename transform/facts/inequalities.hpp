// What linear inequalities of integers say of a polynomial: conditions of branches, bounds of indices.
//
// Each name is expressed by how far one of the inequalities is from being an equation, which is a number of 0 or more: of t < d and
// u + 1 <= t, say, t = u + 1 + a and d = t + 1 + b. A polynomial all of whose coefficients are positive then is not negative. Tries all
// inequalities for each name. Complete it is not, nor is it meant for more than a few names.
#pragma once

#include <vector>

#include "transform/facts/polynomial.hpp"

namespace boustro::facts {

class Inequalities {
 public:
  /// It is 0 or more. Of degree 1, or it is of no use.
  void add(const Polynomial& p);
  /// Proven: the polynomial is 0 or more wherever all of them hold.
  bool imply_not_negative(const Polynomial& p) const;

 private:
  std::vector<Polynomial> known_;
};

}  // namespace boustro::facts
