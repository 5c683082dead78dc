// Rows that a point stores for itself, to read their elements in loops, become what their elements are computed from.
//
// Before:  nest (n, k) (\i j -> let ds = nest d (\t -> xs[i, t] - ms[j, t])  in .. nest m (\l -> .. nest d (\s -> qs[l, s] * ds[s] ..)))
// After:   nest (n, k) (\i j -> .. nest m (\l -> .. nest d (\s -> qs[l, s] * (xs[i, s] - ms[j, s]) ..)))
//
// It takes m times the arithmetic: for threads that share what they read and compute.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The nest without any such rows, in whose names the other one's occur again; nothing if there are none, or if some element takes more
/// than arithmetic and reads, or may fail.
std::optional<ir::Nest> without_rows(const ir::Nest& nest, ir::Names& names, const ir::Provenance& origin);

}  // namespace boustro::parallel
