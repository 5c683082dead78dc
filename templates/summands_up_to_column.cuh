// The summands of a tile, if they are zero behind the diagonal.
#pragma once

#include "templates/tile_width.cuh"

/// As Summands: those up to the column, of a tile that begins at column `first`.
template <typename Index>
struct SummandsUpToColumn {
  Index count, begin, end, first;

  __device__ bool any(Index summand, int /*first_column*/, int last_column) const { return summand <= first + last_column; }
};

/// Of `count`, those up to the column of each result; the tile begins at column `first`.
template <typename Index, typename Column>
__device__ SummandsUpToColumn<Index> summands_up_to_column(Index count, Column first) {
  const Index begin_of_tile = static_cast<Index>(first);
  return {count, 0, min(count, begin_of_tile + tile_width), begin_of_tile};
}
