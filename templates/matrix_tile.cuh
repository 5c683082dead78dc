// Tiles of results to which warps add products of matrices, on tensor cores.
#pragma once

#include "templates/matrix_place.cuh"
#include "templates/tile_depth.cuh"
#include "templates/tile_width.cuh"

/// Divides a tile of results among the 4 x 32 threads of a block, which keep 2 x 16 each in
/// registers: row r and column c of a thread are row(r) and column(c) of the tile. In each group of
/// columns a warp has 16 x 8 results, to which add_matrix_product adds four summands at a time.
struct MatrixTile {
  static constexpr int rows = 2, columns = 16, depth = tile_depth;
  static constexpr int column_threads = tile_width / columns, row_threads = tile_width / rows;
  static constexpr int threads = column_threads * row_threads;

  /// Each of the four warps has 16 neighbouring rows.
  static __device__ int row(int r, int y = static_cast<int>(threadIdx.y)) { return y / 8 * 16 + matrix_place(r, y % 8); }
  static __device__ int column(int c, int x = static_cast<int>(threadIdx.x)) { return matrix_place(c / 2, x * 2 + c % 2); }

  static constexpr int groups = columns / 2, summands = 4, rows_at_once = 2;
  static __device__ double2 rows_of(const double* own, int row) { return {own[row], own[row + 1]}; }
  /// Column, in a group, and summand of the element that a lane supplies to a product of matrices.
  static __device__ int operand_column(int group, int /*x*/, int y) { return matrix_place(group, y % 8); }
  static __device__ int operand_summand(int x) { return x; }
  static __device__ int first_column(int group) { return matrix_place(group, 0); }
  static __device__ int last_column(int group) { return matrix_place(group, 7); }
};
