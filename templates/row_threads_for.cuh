// The shape of a two-dimensional block.
#pragma once

#include <cstdint>

/// Threads along a row of `width` elements: the power of two up to 32 that covers it.
unsigned row_threads_for(int64_t width) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  return threads;
}
