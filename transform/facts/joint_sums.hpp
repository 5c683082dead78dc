// Sums of a point that several threads can compute jointly, each some of the summands.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/facts/neighbours.hpp"

namespace boustro::facts {

/// Folds scalars by an operator that commutes, from start values that each of several threads can begin with.
bool is_joint_fold(const ir::Out& out);

struct JointSums {
  std::vector<std::size_t> sums;  // positions in the point's body
};

/// Applies to nests of the grid that store scalars, or do nothing but add them to accumulators, whose points fold scalars in inner nests by
/// operators that commute; of extents that are known before the nest, and not to be small. Pairs and the like only where the summands take no loops. Additions come last. All else are operations on scalars, elements and views, which cannot fail: each of the threads
/// does it. `cannot_fail` may know more of a statement than its form says.
std::optional<JointSums> joint_sums_of(const ir::Nest& nest, const std::function<bool(const ir::Stm&)>& cannot_fail = {});

/// How many summands the first of them has at least: the extent that threads share.
const ir::Atom& summands_of(const ir::Nest& nest, const JointSums& sums);

/// Whether warps ask for fewer sectors of memory if neighbouring threads have neighbouring summands, instead of neighbouring results along
/// the dimension of the nest.
bool are_summands_closer(const ir::Stm& stm, const ir::Nest& nest, const JointSums& sums, std::size_t dimension, const Layout& layout);

}  // namespace boustro::facts
