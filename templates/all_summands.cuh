// The summands of a tile.
#pragma once

#include "templates/summands.cuh"

/// Returns the range of all `count` summands, none of which is known to be zero.
template <typename Index>
__device__ Summands<Index> all_summands(Index count) {
  return {count, 0, count};
}
