// Tiles of results that the threads of a block add up, each thread its own.
#pragma once

#include "templates/tile_depth.cuh"
#include "templates/tile_width.cuh"

/// Each thread of a block has so many rows of four results of a tile in registers: its row r and
/// column c are row(r) and column(c) of the tile. x counts threads along columns, y along rows.
template <int rows_of_thread, int depth_of_tile = 2 * tile_depth>
struct ThreadTile {
  static constexpr int rows = rows_of_thread, columns = 4, depth = depth_of_tile;
  static constexpr int column_threads = tile_width / columns, row_threads = tile_width / rows;
  static constexpr int threads = column_threads * row_threads;

  /// Four neighbours are read from shared memory at once.
  static __device__ int row(int r, int y = static_cast<int>(threadIdx.y)) { return (r / 4 * row_threads + y) * 4 + r % 4; }
  /// Neighbouring threads store neighbours.
  static __device__ int column(int c, int x = static_cast<int>(threadIdx.x)) { return x + c * column_threads; }

  // Each column is a group of its own, to which one summand is added at a time, row by row.
  static constexpr int groups = columns, summands = 1, rows_at_once = 1;
  template <typename Element>
  static __device__ Element rows_of(const Element* own, int row) {
    return own[row];
  }
  static __device__ int operand_column(int group, int x, int /*y*/) { return column(group, x); }
  static __device__ int operand_summand(int /*x*/) { return 0; }
  /// The columns of a group, of all threads.
  static __device__ int first_column(int group) { return group * column_threads; }
  static __device__ int last_column(int group) { return first_column(group) + column_threads - 1; }
};
