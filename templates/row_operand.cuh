// The operand that all sums of a row of a tile share.
#pragma once

#include "templates/tile_operand.cuh"

/// Returns the operand load(row, summand) of a tile that begins at row `first` of `size`.
template <typename Tile, Order order, typename Index, typename Size, typename Load>
__device__ auto row_operand(Index first, Size size, Load load) {
  return TileOperand<Tile, true, order, Index, Load>(first, static_cast<Index>(size), load);
}
