// How the points of a loop are divided among parts, where several points are computed at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/max_lanes.hpp"

/// The first point of a part, and so the end of the part before: parts have whole tiles of points,
/// but for the last ones.
inline int64_t begin_of_part(int64_t part, int64_t points, int64_t parts) {
  const int64_t tiles = (points + max_lanes - 1) / max_lanes;
  return std::min(part * tiles / parts * max_lanes, points);
}
