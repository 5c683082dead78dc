// How a loop whose iterations are combined is divided among the workers of a CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/least_part_work.hpp"
#include "templates/most_parts.hpp"

/// Into how many parts to divide a loop over `points`, each of about `work` additions: as many as
/// pay, for filling and collecting the `cells` that each part has for itself, too; besides these it
/// needs some `room`. Sizes alone decide, so that results do not depend on the number of workers.
/// Without OpenMP it may be that nobody asks.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}
