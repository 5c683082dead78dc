// Which rows, or columns, of a tile a thread computes: groups of four, which it reads from shared memory at once.
#pragma once

/// The row of result number `result` of a thread, one of so many along the rows of the tile.
__device__ constexpr int tile_place(int thread, int threads, int result) {
  return (result / 4 * threads + thread) * 4 + result % 4;
}
