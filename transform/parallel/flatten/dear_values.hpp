// Numbers of a grid's points that take long to compute get an array of their own.
//
// Rule      nest_acc (n, k): .. w = exp .. .. additions that use w ..   gives
//           ws = nest (n, k): w        nest_acc (n, k): .. w = ws[i, j] ..
//           with those dimensions that w depends on
// Applies   to floats at the top of the point that are computed by functions such as exp, from arrays, numbers and indices, by scalar
//           operations alone; those that only one other such number is made of are computed with it. Whoever asks knows whether it pays:
//           sums_by_cell.hpp, where additions that compute w would each compute it again
// Cost      a store and a load for each point, instead of w; an array as large as the space of these dimensions
// Source    derived here: a map is two maps
//
// Before:  with_acc ys (\acc -> nest_acc (n, k) (\acc i j -> let w = f64.exp xs[i, j] in nest_acc d (\acc t -> update_acc acc [j, t] (w * zs[i, t])) acc) acc)
// After:   let ws = nest (n, k) (\i j -> f64.exp xs[i, j])
//          in with_acc ys (\acc -> nest_acc (n, k) (\acc i j -> let w = ws[i, j] in nest_acc d (\acc t -> update_acc acc [j, t] (w * zs[i, t])) acc) acc)
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// A nest's statement, and those that store what it reads.
struct StoredValues {
  std::vector<ir::Stm> values;
  ir::Stm nest;
};

/// The same with such values stored; nothing if the point has none. `stm` is a nest of the grid.
std::optional<StoredValues> with_stored_values(const ir::Stm& stm, ir::Names& names);

}  // namespace boustro::parallel
