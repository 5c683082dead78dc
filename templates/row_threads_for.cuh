// The shape of a two-dimensional block.
#pragma once

#include <cstdint>

#include "templates/block_size.cuh"

/// Threads of a block along a row of `width` elements: the power of two up to 32 that covers it,
/// and more if that leaves threads for further rows than there are.
unsigned row_threads_for(int64_t width, int64_t rows) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  while (2 * threads <= block_size && threads < width && block_size / (2 * threads) >= rows) threads *= 2;
  return threads;
}
