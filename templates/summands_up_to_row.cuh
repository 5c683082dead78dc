// The summands of a tile if those past the diagonal are zero.
#pragma once

#include "templates/summands.cuh"
#include "templates/tile_width.cuh"

/// Returns the summands, of `count`, up to the last row of a tile that begins at row `first`.
template <typename Index, typename Row>
__device__ Summands<Index> summands_up_to_row(Index count, Row first) {
  return {count, 0, min(count, static_cast<Index>(first) + tile_width)};
}
