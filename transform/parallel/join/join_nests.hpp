// Nests of the same points become one, so that there are fewer kernels and less is stored between them.
//
// Rule      ys = nest (n, m) (\i j -> f i j);  zs = nest (n, m) (\i j -> g i j (ys[i, j]))
//           gives   zs = nest (n, m) (\i j -> let y = f i j in g i j y), which yields ys, too, if somebody else reads them
// Applies   to nests of the grid over one space whose points store scalars, or add to accumulators. The second computes scalars alone, without
//           loops, and takes from the first what that stores at the same point, or goes on adding to one of its accumulators; or both add sums
//           of as many summands to it, which threads compute jointly (facts/joint_sums.hpp); or the second has such sums, and only behind them needs
//           what the first computes without loops, and nobody else does
// Never     where threads would have to add atomically: joined points add to cells of their own (flatten/cells_apart.hpp); nor where additions
//           would stand behind sums, which blocks then could not compute by tiles
// Cost      a kernel, and an array, less; more registers for each thread
//
// Before:  ts = nest (n, m) (\i j -> sum over k of a[i, k] * b[k, j]);  ws = nest (n, m) (\i j -> vs[i, j] + ts[i, j])
// After:   ws = nest (n, m) (\i j -> vs[i, j] + sum over k of a[i, k] * b[k, j])
#pragma once

#include <optional>

#include "transform/facts/sizes.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// Both statements as one; nothing if the rule does not apply. `needed`: names that are used elsewhere. `known`: of numbers outside.
/// Whether the first may move to the second, or the second to the first, is for the caller to know.
std::optional<ir::Stm> joined_nests(const ir::Stm& first, const ir::Stm& second, const ir::NameSet& needed, const facts::Sizes& known, ir::Names& names);

}  // namespace boustro::parallel
