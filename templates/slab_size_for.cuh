// How many summands of sums that few results have are added up at a time.
#pragma once

#include <algorithm>
#include <cstdint>

/// Returns how many of `summands` a slab has: at least 64, and so many that about 512 slabs are
/// left, or fewer if `sums` sums of each fill a large device.
int64_t slab_size_for(int64_t summands, int64_t sums) {
  const int64_t enough_sums = 1 << 22, most_slabs = 512, least_size = 64;
  const int64_t slabs = std::clamp<int64_t>(enough_sums / std::max<int64_t>(sums, 1), 1, most_slabs);
  return std::max(summands / slabs, least_size);
}
