// How an array lies on a cpu of which elements are picked across a few rows.
//
// Before:   let xsss = nest 3 (\i -> .. [n][m] ..)     let ys = nest k (\j -> .. xsss[0:3, is[j]] ..)     (xsss: [3][n][m]t)
// After:    xsss lies as [n][3][m]
// Applies   if a nest makes the array, which has so few rows, of rows itself, and nothing reads it but so
// Why       what is picked together lies together: one place of memory to find instead of three
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

/// The arrays in a body whose first two dimensions are to change places in memory.
ir::NameSet gathered_arrays(const ir::Body& body);

}  // namespace boustro::plan::planner
