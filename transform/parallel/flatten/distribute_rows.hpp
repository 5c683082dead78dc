// Distribution: a map that computes a row, or matrix, of expensive elements, and goes on with it, becomes a
// perfect nest that computes the rows and a map that goes on. So the elements get a thread each
// instead of a loop in a thread per row. Rows that are no results take memory for all elements of the map,
// instead of that for all threads.
//
// Before:  map (\x -> let row = map (\y -> reduce ... x y) ys
//                    let m = reduce max row in (row, m)) xs
// After:   let rows = map (\x -> map (\y -> reduce ... x y) ys) xs
//          let ms = map (\row -> reduce max row) rows
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For a map without accumulators; the reduction that the row's map may be fused with stays behind. What
/// comes behind a check, or is updated in place, stays there. Nothing if it is not of this form. Either part may be distributed further.
std::optional<std::vector<ir::Stm>> distribute_rows(const ir::Stm& stm, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
