// Which loops over points are worth computing in lanes, and can be.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "emit/plan/lanes/variation.hpp"

namespace boustro::plan::lanes {

/// The loop with statements of the kinds that a Spread takes: no pointers to temporaries, none that differ between points, fills
/// and copies as loops, and names that are unique (unique.hpp). Nothing if there are others. `temporaries`: arrays of the part that each point uses from anew.
std::optional<For> prepared(For points, const std::set<std::string>& temporaries);

/// A sum over a loop that all points run: compilers must keep its order, unless there are lanes.
bool has_sums_in_order(const Stms& stms, const Variation& variation);

/// What is computed for several points at a time comes to the same: there is nothing that one point does with what another one
/// did, but for adding. `shared`: arrays that all points of the part add to.
bool is_independent(const For& points, const Variation& variation, const std::set<std::string>& shared);

/// The variables that all points change, each by the value before it, change in one loop over lanes.
bool keeps_order(const ForLanes& points, const Variation& variation);

}  // namespace boustro::plan::lanes
