// How many results a block computes at a time, by several threads each.
#pragma once

#include <cstdint>

#include "templates/block_size.cuh"

/// A power of two: as many as there are threads for, but no more than it takes to cover `width`
/// results.
unsigned results_for(int64_t width, unsigned sum_threads) {
  unsigned results = 1;
  while (results < width && 2 * results * sum_threads <= block_size) results *= 2;
  return results;
}
