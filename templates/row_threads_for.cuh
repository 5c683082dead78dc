// The shape of a two-dimensional block.
#pragma once

#include <cstdint>

#include "templates/block_size.cuh"

/// Threads of a block along each of `rows` rows of `width` elements: the least power of two that
/// covers a row, at most 32, or more if the block still covers all rows.
unsigned row_threads_for(int64_t width, int64_t rows) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  while (2 * threads <= block_size && threads < width && block_size / (2 * threads) >= rows) threads *= 2;
  return threads;
}
