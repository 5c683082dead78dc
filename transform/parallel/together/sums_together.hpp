// Several sums of a thread at a time: sums_together.cpp.
#pragma once

#include "transform/facts/aliases.hpp"

namespace boustro::parallel {

/// A nest that folds what comes of a loop over the same summands for each of its points, which are called members here.
struct SumsTogether {
  std::size_t loop = 0;    // its position in the body of the point
  ir::NameSet of_member;   // what differs between members, of what the point and the loop's body bind
  std::int64_t count = 0;  // how many members are taken at a time
};
std::optional<SumsTogether> sums_together_of(const ir::Nest& nest, const facts::Callees& callees);

/// What stands in the place of the statement, whose nest is such a one.
std::vector<ir::Stm> add_up_together(const ir::Stm& stm, const SumsTogether& sums, ir::Names& names);

}  // namespace boustro::parallel
