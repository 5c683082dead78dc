// Numbers on which results do not depend, though they are computed from them: what is taken off before exponentials, so that these do not
// overflow, and comes back behind the logarithm, or cancels in a quotient.
#pragma once

#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::ad {

/// Largest or smallest elements m in the statements and those inside of them, of which nothing that leaves their scope depends: were m larger by
/// t, then everything made of it would be larger by a multiple of t, or be multiplied by a power of e^t, or be the same, and what leaves the
/// scope is the same. So its derivative by m is zero, to any order, and m may be taken for a constant:
///
///     m = maximum xs      y = m + log (sum (map (\x -> exp (x - m)) xs))      has the derivative exp (x - m) / sum ..
///
/// Comparisons say nothing about derivatives. `results` are what the statements yield.
///
/// Source   Blanchard, Higham, Higham: Accurately computing the log-sum-exp and softmax functions, 2021, (1.3)
ir::NameSet cancelling_shifts(const ir::Body& body);

/// The same of scopes inside of these statements alone.
ir::NameSet cancelling_shifts(const std::vector<ir::Stm>& stms);

}  // namespace boustro::ad
