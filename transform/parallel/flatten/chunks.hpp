// Operators that no library call and no atomic takes, on rows or matrices, on several numbers together, or with variables of
// the program: neighbouring elements are combined by one thread each, and then what came of them.
//
// Rule      reduce op ne xs   gives   parts = map (\k -> reduce op x (chunk k of xs behind its first element x)) (iota c),
//           the first chunk beginning with ne; likewise for the parts, until one is left
// Rule      scan op ne xs     gives   parts as above, each of them from ne on, then for chunk k
//           scan op (reduce op ne parts[:k]) (chunk k of xs), whose prefixes lie one chunk behind the other
// Rule      reduce_by_index dest op ne is xs   gives   parts = map (\k -> the histogram of chunk k alone, from ne on) (iota c),
//           then map (\b -> reduce op dest[b] parts[:, b]) for the bins
// Applies   op is associative, as all operators of these are; chunks are neighbouring elements, so that it need not commute
// Cost      reduce: up to 4096 threads, then 64, then one that combines 64 parts. scan: 1024 threads, each of which combines the
//           parts before its own; op is applied twice to each element. reduce_by_index: as many threads as histograms
//           take no more than a fourth of the elements' memory, at most 65536; then one for each bin, or several that share it
#pragma once

#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The maps over chunks, and the results as the elements of the last one.
std::vector<ir::Stm> chunked_reduce(const ir::Stm& stm, const ir::Reduce& reduce, ir::Names& names);

/// The maps over chunks, and the results as the first elements of the last one.
std::vector<ir::Stm> chunked_scan(const ir::Stm& stm, const ir::Scan& scan, ir::Names& names);

/// Of one histogram of arrays as they are.
std::vector<ir::Stm> chunked_histogram(const ir::Stm& stm, const ir::ReduceByIndex& histogram, ir::Names& names);

}  // namespace boustro::parallel
