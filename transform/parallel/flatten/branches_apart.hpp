// A nest of the grid whose points add in two branches, where only those in different branches may add to the same cell, becomes a nest for
// each branch: then no addition is atomic.
//
// Rule      nest_acc n: if c then acc[i] += x else acc[i + k] += y   gives
//           nest_acc n: if c then acc[i] += x;  nest_acc n: if not c then acc[i + k] += y
// Applies   where a point ends with the branches, which yield accumulators and nothing else. In each of the new nests points add to cells
//           of their own (cells_apart.hpp), in the old one they may not. What stands before the branches takes no longer than a load, since
//           it is computed twice
//           The first of the nests is the one where no cell gets two additions, since these are stores if all is zero before, or the one
//           whose points do more
// Never     where a point checks something before it branches, or yields anything but accumulators
// Cost      the condition, twice, instead of atomic additions
// Source    derived here: accumulators do not depend on the order of additions
//
// Before:  nest_acc n (\acc i -> if i < m then update_acc acc [i] xs[i] else update_acc acc [i - 1] ys[i])
// After:   nest_acc n (\acc i -> if i < m then update_acc acc [i] xs[i] else acc);
//          nest_acc n (\acc i -> if i < m then acc else update_acc acc [i - 1] ys[i])
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/facts/sizes.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The two nests; nothing if the rule does not apply. `known`: of numbers outside.
std::optional<std::vector<ir::Stm>> branches_apart(const ir::Stm& stm, const facts::Sizes& known, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
