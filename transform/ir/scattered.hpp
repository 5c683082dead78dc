// Arrays that do not lie in memory one element after the other: what reshapes one of them makes a copy.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::ir {

class Scattered {
 public:
  /// Statements in their order, inner ones included: whether this one reshapes such an array. Arrays from elsewhere count as dense.
  bool is_copied(const Stm& stm);

 private:
  bool scatters(const Exp& exp) const;

  NameSet arrays_;
};

}  // namespace boustro::ir
