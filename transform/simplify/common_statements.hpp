// What two lists of statements both compute.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::simplify {

struct CommonStatements {
  /// The positions of those of the later list.
  std::vector<std::size_t> positions = {};
  /// For the names that they bind, those that statements of the earlier list bind.
  ir::Substitution names = {};
};

/// Scalar arithmetic, calls and branches of the later list that are equal to some of the earlier list, where names that
/// `same` has are equal to what it has for them. The lists bind different names.
CommonStatements common_statements(const std::vector<ir::Stm>& earlier, const std::vector<ir::Stm>& later,
                                   const ir::Substitution& same = {});

}  // namespace boustro::simplify
