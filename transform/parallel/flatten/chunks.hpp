// Reduction by an operator that no library call takes: on rows or matrices, or with variables of the program.
//
// Rule      reduce op ne xs   gives   parts = map (\k -> reduce op x (chunk k of xs behind its first element x)) (iota c),
//           the first chunk beginning with ne; likewise for the parts, until one is left
// Applies   op is associative, as all operators of reductions are; chunks are neighbouring elements, so that it need not commute
// Cost      up to 4096 threads, then 64, then one that combines 64 parts; a part of each chunk is stored
#pragma once

#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The maps over chunks, and the results as the elements of the last one.
std::vector<ir::Stm> chunked_reduce(const ir::Stm& stm, const ir::Reduce& reduce, ir::Names& names);

}  // namespace boustro::parallel
