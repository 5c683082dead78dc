// The summands of a tile, if they are zero behind the diagonal.
#pragma once

#include "templates/summands.cuh"
#include "templates/tile_width.cuh"

/// Of `count`, those up to the last row of a tile that begins at row `first`.
template <typename Index, typename Row>
__device__ Summands<Index> summands_up_to_row(Index count, Row first) {
  return {count, 0, min(count, static_cast<Index>(first) + tile_width)};
}
