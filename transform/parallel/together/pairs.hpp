// A thread for each point and member: pairs.cpp.
#pragma once

#include "transform/parallel/together/sums_together.hpp"

namespace boustro::parallel {

/// Where in the body of a point a nest stands, and what its sums are.
struct SumsOfPoint {
  std::size_t at = 0;
  SumsTogether sums;
};

/// The sums of all pairs, and then the nest of the grid, which reads them; nothing if the rule does not apply. `pays`, a truth that the host
/// knows: without it there are no pairs, and the second nest must not run.
std::optional<std::vector<ir::Stm>> sums_of_pairs(const ir::Stm& stm, const SumsOfPoint& place, const ir::Atom& pays, ir::Names& names);

}  // namespace boustro::parallel
