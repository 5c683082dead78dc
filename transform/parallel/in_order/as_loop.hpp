// Operators on elements as loops.
//
// Before:   let (s, ys) = map_reduce op ne (\x -> (v, y)) xs
// After:    let (s, ys) = loop (s, ys) = (ne, scratch) for i < n do
//                           let x = xs[i]  ..  in (op s v, ys with [i] = y)
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The same statement as a loop over the elements, accumulators included, behind what the loop starts from. Takes over the names
/// that the operator binds. Nothing for what is no Map, Reduce, Scan, MapReduce, MapScan or ReduceByIndex.
std::optional<std::vector<ir::Stm>> as_loop(const ir::Stm& stm, ir::Names& names);

}  // namespace boustro::parallel
