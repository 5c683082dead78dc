// Sums end where their summands are zero from there on.
//
// Rule      sum over s < n of x[s] * q[t, s], where q[t, s] = 0 for t < s      gives    sum over s < t + 1 of ..
// Applies   to sums in a thread over one index, t being an index of a nest around them; where zeros come first, the sum begins behind them
// Never     where t is the index right around the sum, of points that store: these can be computed in step, while their sums are equally long
// Source    derived here: x + 0 = x, and 0 * x = 0 but for infinities
//
// Before:  nest d (\t -> nest d (\s -> x[s] * q[t, s]) (reduce 0 (+) 0))
// After:   nest d (\t -> let count = t + 1 in nest count (\s -> x[s] * q[t, s]) (reduce 0 (+) 0))
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "transform/facts/zeros.hpp"

namespace boustro::parallel {

/// Of a nest.
struct IndexOf {
  ir::Atom extent;
  bool stores;  // what its points yield
};
using Indices = std::unordered_map<ir::Name, IndexOf>;

/// Statements in the place of one; nothing if the rule does not apply. `around`: the indices of nests around it, the innermost one being
/// `next_around`.
std::optional<std::vector<ir::Stm>> short_sum(const ir::Stm& stm, const facts::Zeros& zeros, const Indices& around, const ir::Name& next_around,
                                              ir::Names& names);

}  // namespace boustro::parallel
