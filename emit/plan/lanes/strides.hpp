// How far apart the points of a loop read and write.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::lanes {

/// Accesses, in the innermost loops of `stms`, whose address differs between neighbouring points by more than one element: what a
/// vector of points would have to gather or scatter. `index` is the variable that counts the points; `own` holds all that is declared
/// behind it, from the loop over points on.
int count_gathers(const Stms& stms, const std::string& index, const Stms& own);

/// The innermost loop over points of which another one is part, if all sums of the loop's body are in such inner loops, and their
/// points lie side by side where its own do not.
bool inner_points_are_closer(const For& points);

}  // namespace boustro::plan::lanes
