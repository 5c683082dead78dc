// The summands of a tile if those before the diagonal are zero.
#pragma once

#include "templates/summands.cuh"

/// Returns the summands, of `count`, from row `first` on, which is the first row of the tile.
template <typename Index, typename Row>
__device__ Summands<Index> summands_from_row(Index count, Row first) {
  return {count, static_cast<Index>(first), count};
}
