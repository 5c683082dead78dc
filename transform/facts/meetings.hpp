// Whether neighbours of a nest, which lanes of a warp are, add to the same cells.
//
// They never do where an index goes on from one neighbour to the next by a number or size that is the same everywhere, and always where no
// index differs between them. Where an index is looked up, or computed in any other way, that is up to the data: they may.
#pragma once

#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

enum class Meeting { never, by_data, always };

/// Of neighbours along a dimension of the nest: for each of its accumulators, and then for each of its outs. The likeliest of all
/// additions that a point makes; `never` where there are none.
std::vector<Meeting> meetings_along(const ir::Nest& nest, std::size_t dimension);

}  // namespace boustro::facts
