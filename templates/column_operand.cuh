// What the sums of a column of a tile share.
#pragma once

#include "templates/tile_operand.cuh"

/// load(column, summand), of `size` columns; the tile begins at column `first`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto column_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, false, order, Index, Load>(first, static_cast<Index>(size), load);
}
