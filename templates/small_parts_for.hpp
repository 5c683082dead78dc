// How a scan is divided among the workers of a CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/least_part_work.hpp"

/// Returns into how many parts to divide a scan over `points` points of about `work` additions
/// each: as small ones as pay, so that what a part stores is still in the cache when it is read
/// again; at most 2^20 parts, so that products with sizes do not overflow.
inline int64_t small_parts_for(int64_t points, int64_t work) {
  const int64_t least_points = std::max(least_part_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, int64_t{1} << 20);
}
