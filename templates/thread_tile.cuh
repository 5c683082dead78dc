// Tiles of results of which each thread of a block adds up its own.
#pragma once

#include "templates/tile_depth.cuh"
#include "templates/tile_width.cuh"

/// Divides a tile of results among the threads of a block, which keep `rows_of_thread` x 4 each in
/// registers: row r and column c of a thread are row(r) and column(c) of the tile. x counts threads
/// across columns, y across rows.
template <int rows_of_thread, int depth_of_tile = 2 * tile_depth>
struct ThreadTile {
  static constexpr int rows = rows_of_thread, columns = 4, depth = depth_of_tile;
  static constexpr int column_threads = tile_width / columns, row_threads = tile_width / rows;
  static constexpr int threads = column_threads * row_threads;

  /// Four neighbouring rows at a time, so that their elements are read from shared memory at once.
  static __device__ int row(int r, int y = static_cast<int>(threadIdx.y)) { return (r / 4 * row_threads + y) * 4 + r % 4; }
  /// Neighbouring threads have neighbouring columns, and store them together.
  static __device__ int column(int c, int x = static_cast<int>(threadIdx.x)) { return x + c * column_threads; }

  // Each column is a group of its own, to which one summand is added at a time, row by row.
  static constexpr int groups = columns, summands = 1, rows_at_once = 1;
  template <typename Element>
  static __device__ Element rows_of(const Element* own, int row) {
    return own[row];
  }
  static __device__ int operand_column(int group, int x, int /*y*/) { return column(group, x); }
  static __device__ int operand_summand(int /*x*/) { return 0; }
  /// First and last column of the tile that any thread has in a group.
  static __device__ int first_column(int group) { return group * column_threads; }
  static __device__ int last_column(int group) { return first_column(group) + column_threads - 1; }
};
