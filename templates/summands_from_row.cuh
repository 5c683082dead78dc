// The summands of a tile, if they are zero before the diagonal.
#pragma once

#include "templates/summands.cuh"

/// Of `count`, those from the first row of a tile on, which is row `first`.
template <typename Index, typename Row>
__device__ Summands<Index> summands_from_row(Index count, Row first) {
  return {count, static_cast<Index>(first), count};
}
