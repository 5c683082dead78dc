// The shape of a block whose threads compute sums, several each.
#pragma once

#include <cstdint>

#include "templates/block_size.cuh"
#include "templates/sum_threads_for.cuh"

/// As many sums as there are threads for, a power of two, but no more than it takes to cover
/// `width` of them. If neighbouring summands lie next to each other, the threads of a sum are those
/// with one threadIdx.y, else those with one threadIdx.x.
dim3 sums_block(int64_t width, int64_t rows, int64_t summands, bool neighbouring_summands) {
  const unsigned threads = sum_threads_for(width, rows, summands, neighbouring_summands);
  unsigned sums = 1;
  while (sums < width && 2 * sums * threads <= block_size) sums *= 2;
  return neighbouring_summands ? dim3(threads, sums) : dim3(sums, threads);
}
