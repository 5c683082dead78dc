// What the sums of a row of a tile share.
#pragma once

#include "templates/tile_operand.cuh"

/// load(row, summand), of `size` rows; the tile begins at row `first`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto row_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, true, order, Index, Load>(first, static_cast<Index>(size), load);
}
