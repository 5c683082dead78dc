// Points whose rows are columns of the result, on the cpu target.
//
// Rule          a nest stores, at each point, a row whose last dimension lies first in the result: elements next to each other in the row
//               are far apart, and those of neighbouring points side by side
// Applies       the points share nothing, have no sums, loops or scans (in those points are lanes, lanes.hpp, and stores are vectors as
//               it is), and the elements have 4 or 8 bytes
// Cost          a tile of rows for each part, max_lanes of them, which stays in the cache; each element is loaded and stored once more
// Before        for (i = 0; i < n; ++i) {
//                 for (j = 0; j < d; ++j) result[j * n + i] = f(i, j);
//               }
// After         for (tile = 0; tile < n; tile += max_lanes) {
//                 for (i = tile; i < min(tile + max_lanes, n); ++i) {
//                   for (j = 0; j < d; ++j) rows[(i - tile) * d + j] = f(i, j);
//                 }
//                 store_columns(result + tile, n, rows, min(tile + max_lanes, n) - tile, d);
//               }
// So the computation has vectors along the row, and the result gets whole lines of the cache, of one column after the other, not d lines
// at a time of which each is needed again at the next point: templates/store_columns.hpp.
#pragma once

#include "emit/plan/lower/loops.hpp"

namespace boustro::plan::planner {

/// The rule applies to the nest, whose points have nothing to do with each other.
bool stores_columns(Code& code, const ir::Nest& nest, const std::vector<OutPlace>& places);
/// `work` is that of one point.
void in_column_tiles(Code& code, const ir::Stm& stm, const ir::Nest& nest, const std::vector<OutPlace>& places, const Scalar& work);

}  // namespace boustro::plan::planner
