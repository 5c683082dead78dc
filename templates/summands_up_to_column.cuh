// The summands of a tile if those past the diagonal are zero.
#pragma once

#include "templates/tile_width.cuh"

/// The summands of a tile up to `end`, of `count`, if those past the column of a result are zero;
/// column `first` is its first. any() says whether a summand may be nonzero in these columns.
template <typename Index>
struct SummandsUpToColumn {
  Index count, begin, end, first;

  __device__ bool any(Index summand, int /*first_column*/, int last_column) const { return summand <= first + last_column; }
};

/// Returns the summands, of `count`, up to the column of a result; the tile begins at `first`.
template <typename Index, typename Column>
__device__ SummandsUpToColumn<Index> summands_up_to_column(Index count, Column first) {
  const Index begin_of_tile = static_cast<Index>(first);
  return {count, 0, min(count, begin_of_tile + tile_width), begin_of_tile};
}
