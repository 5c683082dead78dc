// Rows that a thread keeps for itself, of elements that are computed as fast as they are read, are computed where it reads them.
//
// Before:  nest (n, k) (\i j -> let ds = nest d (\t -> xs[i, t] - ms[j, t])  in nest d (\t -> nest d (\u -> qs[t, u] * ds[u]) (reduce (+) 0)) ..)
// After:   nest (n, k) (\i j -> nest d (\t -> nest d (\u -> qs[t, u] * (xs[i, u] - ms[j, u])) (reduce (+) 0)) ..)
// Applies   to elements that are quick (quick_element.hpp), of rows that are only read, element by element, and whose length nobody knows
//           yet: others are in registers. Nobody makes room for the rows of all threads then
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// In the nests of the grid, of a body that the host runs.
void compute_kept_rows(ir::Body& host, ir::Names& names, const facts::Aliases& aliases);

}  // namespace boustro::parallel
