// Rows whose elements need sums of their row are made by the threads that have the sums.
//
// Rule      s = nest n (\i -> sum over j of f i j);  ys = nest (n, m) (\i j -> g i j (s[i]))
//           gives   ys = nest n (\i -> let s = sum over j of f i j in nest m (\j -> g i j s)), which yields s, too, if somebody else reads it;
//           and likewise   t = nest n (\i -> sum over j of h i (ys[i, j]))   joins the nest that makes ys
// Applies   to sums that the threads of a block compute jointly (facts/joint_sums.hpp), as many of them as a row has elements; the second nest
//           computes scalars, without loops, or such sums, and takes from the first what that has at the same point or in the same row
// Never     where neighbouring threads would read or store what lies apart; nor where blocks compute the sums by tiles
// Rows      that nobody reads outside of the joined nest, and that are cheap, are computed where they are read
// Cost      a kernel, and often an array, less. A row is read again by the block that has just read it. Where rows are few, fewer threads make
//           their elements: as many as sum them up
//
// Before:  m = nest n (\i -> max over j of x[i, j]);  e = nest (n, k) (\i j -> exp (x[i, j] - m[i]))
// After:   e = nest n (\i -> let m = max over j of x[i, j] in nest k (\j -> exp (x[i, j] - m)))
#pragma once

#include <optional>

#include "transform/facts/neighbours.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// Whether the second nest has the points of the first, or those of rows of them: without that they are not joined.
bool have_rows(const ir::Nest& first, const ir::Nest& second);

/// Both statements as one; nothing if the rule does not apply. `needed`: names that are used elsewhere. `layout`: how arrays lie in memory.
/// Whether the first may move to the second, or the second to the first, is for the caller to know.
std::optional<ir::Stm> joined_rows(const ir::Stm& first, const ir::Stm& second, const ir::NameSet& needed, const facts::Layout& layout, ir::Names& names);

}  // namespace boustro::parallel
