// How the elements of an array lie in memory.
#pragma once

#include "emit/plan/planner/values.hpp"

namespace boustro::plan::planner {

class Tables;

/// Row-major strides of these extents, for rows of `unit` elements.
std::vector<Expr> dense_strides(const std::vector<Scalar>& extents, const Expr& unit = lit(1));
/// A row-major array.
View dense_view(const Expr& pointer, PrimType elem, std::vector<Scalar> extents);
/// Row-major, perhaps with gaps between the innermost elements.
bool is_dense(const View& view);

/// Row-major without gaps.
bool is_contiguous(const View& view);
/// And from where the host knows; not in a table, which only kernels reach.
bool lies_dense(const View& view, const Tables& tables);
/// A pointer to its first element in memory.
Expr start_of(const View& view);

/// The array of which this, in memory, is `rearrange permutation`.
View rearranged_back(const View& array, const std::vector<int>& permutation);

/// Both lie in the same places of one array.
bool same_memory(const View& x, const View& y);

/// Whether it begins at its last element in some dimension. That element is not there if the array is
/// empty: no pointer may be made of its place.
bool is_read_backwards(const Memory& memory);

/// Whether an update may go to the array's own memory: it is not the caller's, and no two elements
/// share a place, as the rows of a replicated array do.
bool is_updatable(const View& array);
/// Of an offset: the host does not know it, since an element of an array says where something lies.
bool contains_element(const Expr& offset);

}  // namespace boustro::plan::planner
