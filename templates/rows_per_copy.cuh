// How many rows a block combines in its private copies before it combines these with the result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/block_size.cuh"

/// Rows that a block adds to its private copies: 16 per cell, at least block_size, and so many that
/// there are about 1024 blocks at most. Each row, or each of its elements, goes to one of `cells`
/// cells.
int64_t rows_per_copy(int64_t rows, int64_t cells) {
  const int64_t often = 16, most_blocks = 1024;
  return std::max({int64_t{block_size}, often * cells, rows / most_blocks});
}
