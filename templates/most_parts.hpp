// How much memory the parts of divided loops take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/max_parts.hpp"

/// How many parts have `room` elements each for themselves, at least one: 2^24 in all.
inline int64_t most_parts(int64_t room) {
  return std::clamp((int64_t{1} << 24) / std::max(room, int64_t{1}), int64_t{1}, max_parts);
}
