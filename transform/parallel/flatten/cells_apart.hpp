// Whether no two points of a nest add to the same cell of an accumulator. Then threads that share the points need no atomic additions.
//
// Rule      suppose that one point adds to acc[a, b] and another one to acc[c, d], which may be the same addition: a = c and b = d are
//           equations between the indices of both. Where they say that no such two points exist, because the indices of the nest are the
//           same (i + k = i' + k, m * i + j = m * i' + j' with j < m), or because they have no solution (2 * i = 2 * i' + 1, i = n + i'
//           with i' < n, 3 = 4), points are apart. All pairs of additions to an accumulator must be. What the conditions of branches say
//           of both points counts as well: of packed triangles, an earlier row ends before a later one begins, and so all rows that meet
//           are one (facts/inequalities.hpp)
// Applies   whatever else points do. An index is seen through arithmetic, reads of arrays, and rows that a point stores for itself; a read
//           is the same number for both points if its indices are
// Never     if an accumulator goes into a function
// Source    derived here
//
// Apart:    nest_acc n (\acc i -> update_acc acc [j, i + offsets[j]] .. for j < m);  acc[2 * i] += x; acc[2 * i + 1] += y;
//           if j <= i then acc[i * (i + 1) / 2 + j] += x
// Not:      acc[i] += x; acc[i + 1] += y;  acc[i] += x; acc[n - 1 - i] += y;  acc[is[i]] += x
#pragma once

#include "transform/facts/sizes.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// Who may add to the same cell of an accumulator of the nest: any points, one point alone, several times, or nobody.
enum class Meeting { of_points, in_a_point, never };

/// What is proven. `known`: of numbers outside.
Meeting meeting_in_cells(const ir::Nest& nest, const facts::Sizes& known, ir::Names& names);
inline bool cells_are_apart(const ir::Nest& nest, const facts::Sizes& known, ir::Names& names) {
  return meeting_in_cells(nest, known, names) != Meeting::of_points;
}

}  // namespace boustro::parallel
