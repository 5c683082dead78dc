// Sums of a point that several threads can compute jointly, each some of the summands, and rows that they store on the way.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/facts/neighbours.hpp"

namespace boustro::facts {

/// Folds scalars by an operator that commutes, from start values that each of several threads can begin with.
bool is_joint_fold(const ir::Out& out);

/// A row of an array that a nest of a point makes: out number `out` of the outer nest stores it, after one thread has changed elements of
/// it, if any.
struct JointRow {
  ir::Name made;
  std::size_t out;
};

struct JointSums {
  std::vector<std::size_t> sums;  // positions in the point's body: of nests whose indices threads share
  std::vector<JointRow> rows = {};
  ir::Atom most = ir::int_atom(0);  // indices of the first of them: what is known before the outer nest
};

/// Applies to nests of the grid that store scalars and rows, or add scalars to accumulators, whose points have inner nests of extents that
/// are known before the nest, or known to be at most such a number, and not to be small. What these do: they fold scalars by operators that
/// commute, at least one of them; pairs and the like only where the summands take no loops; and store a scalar for each of their indices. A
/// row that they store is one of the outer nest, so that it is made where it belongs: no thread has an array for itself. One thread alone
/// adds scalars to accumulators and, behind all inner nests, changes single elements of rows, by updates or additions. All else are
/// operations on scalars, elements and views, which cannot fail: each of the threads does it. `cannot_fail` may know more of a statement than
/// its form says.
std::optional<JointSums> joint_sums_of(const ir::Nest& nest, const std::function<bool(const ir::Stm&)>& cannot_fail = {});

/// Whether warps ask for fewer sectors of memory if neighbouring threads have neighbouring summands, instead of neighbouring results along
/// the dimension of the nest.
bool are_summands_closer(const ir::Stm& stm, const ir::Nest& nest, const JointSums& sums, std::size_t dimension, const Layout& layout);

}  // namespace boustro::facts
