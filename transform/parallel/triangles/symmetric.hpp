// Matrices that are sums of symmetric ones are added up below the diagonal only.
//
// Rule      acc[s, t] += v(s, t) for all s, t < n, where v(s, t) = v(t, s)    gives    acc[s, t] += v(s, t) for t <= s
//           and behind the with_acc    m'[s, t] = m[max(s, t), min(s, t)]
// Applies   to accumulators whose cells are equal before and have one addition, in two nests of a thread around each other and inside of another
//           loop, whose value is a product of factors that do not depend on the two indices, and of reads that the exchange of
//           both permutes
// Vectors   the bound is rounded up to a multiple of 16, so that these are full: what is beyond is right as well
// Source    derived here: factors commute
//
// Before:  with_acc zeros (\acc -> nest n (\i -> nest d (\s -> nest d (\t -> update_acc acc [s, t] (w[i] * x[s] * x[t])))))
// After:   let half = with_acc zeros (\acc -> .. nest d (\s -> nest min (s / 16 * 16 + 16) d (\t -> ..)))
//          in nest (d, d) (\s t -> half[max s t, min s t])
#pragma once

#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// Changes the with_acc, if the rule applies to one of its accumulators, and gives the statements behind it: nests over `over`.
std::vector<ir::Stm> add_halves(ir::Stm& with_acc, ir::Level over, const Definitions& definitions, ir::Names& names);

}  // namespace boustro::parallel
