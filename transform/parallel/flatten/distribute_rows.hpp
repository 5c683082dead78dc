// Distribution: a map that keeps a row of expensive elements, and goes on with it, becomes a
// perfect nest that computes the rows and a map that goes on. So the elements get a thread each
// instead of a loop in a thread per row.
//
// Before:  map (\x -> let row = map (\y -> reduce ... x y) ys
//                    let m = reduce max row in (row, m)) xs
// After:   let rows = map (\x -> map (\y -> reduce ... x y) ys) xs
//          let ms = map (\row -> reduce max row) rows
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For a map without accumulators whose rows are among its results, so that no memory is added; the
/// reduction that the row's map may be fused with stays behind. Nothing if it is not of this form.
std::optional<std::vector<ir::Stm>> distribute_rows(const ir::Stm& stm, ir::Names& names);

}  // namespace boustro::parallel
