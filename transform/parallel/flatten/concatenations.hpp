// Arrays that are put together at the host's level, from a scalar or from what a nest stores, are made by one nest.
//
// Before    let ys = nest n (\i -> f i)  let x = ..  let zs = concat (replicate 1 x) ys
// After     let zs = nest (n + 1) (\i -> if i < 1 then x else f (i - 1))
// Why       saves a launch for each part, and memory for ys. What one thread computes for x, and nobody else needs, is done by the
//           thread of that element, at the same time as the others
// Applies   to arrays of scalars; to all of one width that are put together in a row, such as the components of tuples
// Parts     replicates; results of a nest over the grid, of one dimension, that nobody else needs; others are read
// Never     if all parts would be read: those are copies
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For the statements of a body that the host runs.
void join_concatenations(ir::Body& body, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
