// Whether a block should compute a whole tile of sums: tiles are mostly full, and there are enough of them. By the model of an
// H200, 25 tiles take a third longer than a thread for each result; the more tiles there are, the longer the latter takes.
#pragma once

#include <cstdint>

#include "templates/tile_depth.cuh"
#include "templates/tile_width.cuh"

/// Whether one tile per block pays for `matrices` matrices of `rows` x `columns` sums: half a tile
/// or more along each side, tile_depth or more `summands`, and at least 32 tiles.
bool tiles_pay(int64_t rows, int64_t columns, int64_t summands, int64_t matrices) {
  const int64_t tiles = (rows + tile_width - 1) / tile_width * ((columns + tile_width - 1) / tile_width);
  return 2 * rows >= tile_width && 2 * columns >= tile_width && summands >= tile_depth && tiles * matrices >= 32;
}
