// Whether a block should compute all sums of some rows, tile by tile: tiles are mostly full, and there are enough such blocks.
#pragma once

#include <cstdint>

#include "templates/tile_depth.cuh"
#include "templates/tile_width.cuh"

/// Whether a row of tiles per block pays for `matrices` matrices of `rows` x `columns` sums: half a
/// tile or more along each side, tile_depth or more `summands`, and at least 32 blocks.
bool rows_of_tiles_pay(int64_t rows, int64_t columns, int64_t summands, int64_t matrices) {
  const int64_t blocks = (rows + tile_width - 1) / tile_width * matrices;
  return 2 * rows >= tile_width && 2 * columns >= tile_width && summands >= tile_depth && blocks >= 32;
}
