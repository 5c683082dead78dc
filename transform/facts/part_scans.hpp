// What comes before and behind each point of a nest: in parts of so many points that the threads of a block can go through one together.
//
//   nest n  (\i -> let part = i / 2304; first = part * 2304; end = min (first + 2304) n
//                  let before = nest (i - first) (\j -> f(first + j)) (reduce op start_of_part)
//                  let behind = nest (end - i - 1) (\j -> g(end - 1 - j)) (reduce op start_of_part) in ..)
//
// As it stands, a thread would go through up to a part for each point. Threads of a block compute all f and g of their part once, and scan.
// Likewise for what whole parts come to, for which the points are parts.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

struct PartScan {
  std::size_t at;    // of the inner nest in the point's body
  bool from_end;     // it takes the elements from the last one on
  bool inclusive;    // the point's own element is the last that it takes
  ir::Name element;  // that the inner point is at: what its first statement computes
};

struct PartScans {
  bool totals = false;  // points are parts, whose inner nests take all elements; `inclusive` says nothing
  std::int64_t points;  // of a part; the last one may have fewer
  ir::Atom all;         // elements in all parts
  ir::Name part, first;           // the number of a part, and its first element
  std::optional<ir::Name> end;    // the one behind its last, if the points need it
  std::vector<std::size_t> of_part;  // statements of the body, in order, that are the same for all points of a part
  std::vector<PartScan> scans;    // at least one
};

/// Applies to nests of the grid of one dimension that store scalars or write them to places of their own, without accumulators, in whose
/// points such inner nests stand: each folds scalars by one operator, from start values and by points that are scalar code on the element,
/// the same for all of the part otherwise, and cannot fail. A part is a multiple of a block's threads, and its values fit into shared memory.
std::optional<PartScans> part_scans_of(const ir::Nest& nest);

}  // namespace boustro::facts
