// How the points of a loop that computes several at a time are divided into parts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/max_lanes.hpp"

/// Returns the first point of `part`, which is the end of the part before. Parts consist of whole
/// tiles of max_lanes points, but for the last tile.
inline int64_t begin_of_part(int64_t part, int64_t points, int64_t parts) {
  const int64_t tiles = (points + max_lanes - 1) / max_lanes;
  return std::min(part * tiles / parts * max_lanes, points);
}
