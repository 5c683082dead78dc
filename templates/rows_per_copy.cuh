// How many rows a block combines in copies of its own before it combines these with the result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/block_size.cuh"

/// So many that it comes to each of its cells often, and no more blocks than keep a device busy. A
/// row contributes to one of `cells` cells, or to several of as many more.
int64_t rows_per_copy(int64_t rows, int64_t cells) {
  const int64_t often = 16, most_blocks = 1024;
  return std::max({int64_t{block_size}, often * cells, rows / most_blocks});
}
