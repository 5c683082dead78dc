// The operand that all sums of a column of a tile share.
#pragma once

#include "templates/tile_operand.cuh"

/// Returns the operand load(column, summand) of a tile that begins at column `first` of `size`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto column_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, false, order, Index, Load>(first, static_cast<Index>(size), load);
}
