// The shape of a block whose threads compute sums, several each.
#pragma once

#include <cstdint>

#include "templates/block_size.cuh"
#include "templates/order.cuh"
#include "templates/sum_threads_for.cuh"

/// The shape of a block for `rows` rows of `width` sums. The threads of a sum are those with one
/// threadIdx.y if its summands are neighbours, else those with one threadIdx.x.
dim3 sums_block(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const unsigned threads = sum_threads_for(width, rows, summands, neighbours);
  unsigned sums = 1;
  while (sums < width && 2 * sums * threads <= block_size) sums *= 2;
  return neighbours == Order::summands ? dim3(threads, sums) : dim3(sums, threads);
}
